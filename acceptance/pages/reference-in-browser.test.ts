import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { asObject, asString } from '../support/json.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { api, demoToken } from '../support/clients/requests.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete']

describe('the API reference in a browser', { skip: skipWithout(testTools.chromium) }, () => {
  let portico: Portico
  let browser: Browser
  // The page takes long to render, so the tests share it, in their order.
  let page: WatchedPage
  before(async () => {
    // Requests must go to the origin of the page, not to the public address, which is unreachable here.
    portico = await startPortico({ publicUrl: 'https://api.example.test' })
    browser = await launchBrowser()
    page = await openPage(browser, `${portico.origin}/reference`)
    await page.getByPlaceholder('Token').waitFor()
  })
  after(async () => {
    await browser.close()
    await portico.stop()
  })

  async function publishedDocument(name: string): Promise<{ title: string; summaries: string[] }> {
    const { json } = await api(portico, `/openapi/${name}.json`)
    const summaries = Object.values(asObject(json['paths'])).flatMap((item) =>
      Object.entries(asObject(item))
        .filter(([method]) => methods.includes(method))
        .map(([, operation]) => asString(asObject(operation)['summary'])),
    )
    assert.ok(summaries.length > 0)
    return { title: asString(asObject(json['info'])['title']), summaries }
  }

  /** Operations far down the page are rendered on demand: following the link in the sidebar shows them. */
  async function goTo(path: string): Promise<Locator> {
    const { json } = await api(portico, '/openapi/v2.json')
    const operation = asObject(asObject(asObject(json['paths'])[path])['get'])
    await page.getByText(asString(operation['summary'])).first().click()
    const button = page.getByRole('button', { name: `Test Request (get ${path})` })
    await button.waitFor()
    return button
  }

  test('it links to no other host', async () => {
    const links = await page
      .locator('a[href]:visible')
      .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href') ?? ''))
    assert.ok(links.length > 0)
    for (const link of links) assert.equal(new URL(link, page.url()).origin, portico.origin)
    const words = await page.locator('body').innerText()
    assert.doesNotMatch(words, /powered by|ask ai|open api client|\bmcp\b|scalar/i)
  })

  test('it has one authentication field, for a token, and none for a secret', async () => {
    const fields = page.locator('.scalar-reference-intro-auth input')
    assert.equal(await fields.count(), 1)
    assert.equal(await fields.first().getAttribute('placeholder'), 'Token')
    assert.equal(await page.getByRole('textbox', { name: /secret|client|password/i }).count(), 0)
    assert.equal(await page.getByPlaceholder(/secret|client|password/i).count(), 0)
  })

  test('a pasted token works for GET /v2/sites, sent to the origin of the page', async () => {
    const token = await demoToken(portico)
    await page.getByPlaceholder('Token').fill(token)
    await (await goTo('/sites')).click()
    const answered = page.waitForResponse((response) => response.url().endsWith('/sites'))
    await page.getByRole('button', { name: /^send/i }).first().click()
    const answer = await answered
    assert.equal(answer.url(), `${portico.origin}/v2/sites`)
    assert.equal(answer.request().headers()['authorization'], `Bearer ${token}`)
    assert.equal(answer.status(), 200)
    await page.getByText(portico.demoEnv.SITE_ID).first().waitFor()
    await page.keyboard.press('Escape')
    page.assertNoForeignRequests()
  })

  test('an example request contains only required parameters', async () => {
    await goTo('/spaces/{spaceuuid}/aggregate/{metrictype}/hourly')
    const example = page.getByText(/\/aggregate\/electricity\/hourly/).first()
    assert.doesNotMatch(await example.innerText(), /hourly\?/)
  })

  test('a pasted token is not stored: the next visit starts without it', async () => {
    // The API reference writes its settings after a pause.
    await page.waitForTimeout(2_000)
    const storage = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')
    assert.doesNotMatch(asString(storage), /eyJ/)
    assert.deepEqual(await page.evaluate('indexedDB.databases()'), [])
    await page.reload()
    assert.equal(await page.getByPlaceholder('Token').inputValue(), '')
  })

  test('it shows every operation of both documents, and requests nothing from other hosts', async () => {
    const [v2, operator] = [await publishedDocument('v2'), await publishedDocument('operator')]
    const assertShows = async ({ title, summaries }: typeof v2) => {
      await page.getByRole('heading', { name: title }).waitFor()
      for (const summary of summaries) await page.getByText(summary).first().waitFor()
    }
    await assertShows(v2)
    await page.getByRole('button', { name: v2.title }).click()
    await page.getByRole('option', { name: operator.title }).click()
    await assertShows(operator)
    page.assertNoForeignRequests()
  })
})
