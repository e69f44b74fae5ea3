import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { launchBrowser, type WatchedPage } from '../pages/browser.ts'
import { addPartner, type NewPartner, partnerRoles } from '../support/clients/operator.ts'
import { api, tokenFor } from '../support/clients/requests.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { applyInventory, type Installation, startInstallation } from '../support/servers/installation.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import {
  assertAccessible,
  assertFits,
  assertShowsCalls,
  openConsole,
  visit,
  whenLoaded,
} from './console-page.ts'

const MARKUP = '<img src=x onerror="document.title=1">'

/** A site whose texts are all markup. */
function makeHostileSite(): ReturnType<typeof makeSmallSite> {
  const house = makeSmallSite({ siteName: `Site ${MARKUP}` })
  const { buildings, spaces, devices } = house.document
  for (const building of buildings) building['buildingName'] = `Building ${MARKUP}`
  for (const record of spaces) {
    record['spaceName'] = `Space ${MARKUP}`
    if (record['clusterUuid']) record['clusterName'] = `Flat ${MARKUP}`
  }
  for (const record of devices) record['deviceName'] = `Device ${MARKUP}`
  return house
}

describe('a partner in the console', { skip: skipWithout(testTools.chromium) }, () => {
  const house = makeHostileSite()
  let installation: Installation
  let browser: Browser
  before(async () => {
    installation = await startInstallation()
    await applyInventory(installation, house.document)
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    await installation.stop()
  })

  const newPartner = (body: JsonObject): Promise<NewPartner> =>
    addPartner(installation.portico, installation.operator, { roles: partnerRoles, ...body })
  const open = (partner: NewPartner, path: string): Promise<WatchedPage> =>
    openConsole(browser, installation.portico, partner, path)

  test('sees names that contain markup as text, on every page', async () => {
    const partner = await newPartner({ name: `Partner ${MARKUP}`, sites: [house.siteUuid] })
    const page = await open(partner, '/console')
    const main = page.getByRole('main')
    await main.getByText(`Site ${MARKUP}`, { exact: true }).first().waitFor()
    await page.getByText(`Partner ${MARKUP}`, { exact: true }).first().waitFor()
    const spacesPath = `/console/${house.siteUuid}/spaces`
    for (const path of [spacesPath, `${spacesPath}?search=${encodeURIComponent(MARKUP)}`]) {
      await visit(page, installation.portico, path)
      await main.locator('td, th').getByText(`Space ${MARKUP}`, { exact: true }).first().waitFor()
      await main.locator('td, th').getByText(`Building ${MARKUP}`, { exact: true }).first().waitFor()
    }
    await visit(page, installation.portico, `${spacesPath}/${house.bedroom}`)
    await page.getByRole('heading', { level: 1, name: `Space ${MARKUP}` }).waitFor()
    for (const text of [`Flat ${MARKUP}`, `Device ${MARKUP}`])
      await page.getByText(text, { exact: true }).first().waitFor()
    for (const path of ['/console/migration', '/console/try']) {
      await visit(page, installation.portico, path)
      await page.locator('h1').waitFor()
    }
    assert.equal(await page.locator('img').count(), 0)
    assert.doesNotMatch(await page.title(), /^1/)
    page.assertNoForeignRequests()
  })

  test('without sites and roles is told what to ask for', async () => {
    const page = await open(await newPartner({ sites: [], roles: [] }), '/console')
    await page.getByText('No site is granted to you yet').waitFor()
    await page.getByText('No role is granted to you yet').waitFor()
    for (const path of ['/console/migration', '/console/try']) {
      await visit(page, installation.portico, path)
      await page.getByText('No site is granted to you yet').waitFor()
      await assertAccessible(page)
    }
  })

  test('is warned of a secret that expires within 30 days', async () => {
    const page = await open(await newPartner({ sites: [house.siteUuid], expiresInDays: 20 }), '/console')
    const figure = page.locator('.figures > div').filter({ hasText: 'Secret expires' })
    assert.match(await figure.innerText(), /in 20 days\s+on \d.*: ask the operator for a new one/)
    assert.equal(await figure.getAttribute('class'), 'warning')
    await page.getByRole('table', { name: 'Secrets' }).locator('.badge.warning').waitFor()
    await assertAccessible(page)
  })

  describe('that calls version 1', () => {
    const details = '/spaces/details/{spaceId}'
    let partner: NewPartner
    let page: WatchedPage
    let spaceId: number
    let spaceUuid: string
    before(async () => {
      const { portico, operator } = installation
      partner = await newPartner({ sites: [house.siteUuid] })
      const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
      const request = { token, headers: { SiteId: house.siteUuid } }
      const map = await api(portico, '/v2/migration/id-map?type=space&limit=1', request)
      const [entry = {}] = asArray(map.json['data']).map(asObject)
      spaceId = Number(entry['id'])
      spaceUuid = String(entry['uuid'])
      for (const path of [
        `/spaces/details/${spaceId}`,
        `/spaces/utilities/${spaceId}/monthly`,
        '/tenant/logo',
      ])
        await api(portico, `/v1${path}`, request)
      const sunset = [{ method: 'GET', path: details, sunsetAt: '2030-06-30T00:00:00.000Z' }]
      const answer = await api(portico, '/operator/v1/lifecycle', {
        method: 'PUT',
        token: operator,
        body: sunset,
      })
      assert.equal(answer.status, 200, answer.text)
      page = await open(partner, '/console/migration')
    })

    const row = (path: string): Locator =>
      page
        .getByRole('table', { name: 'Endpoints of version 1 that you call' })
        .locator('tbody tr')
        .filter({ has: page.getByText(path, { exact: true }) })

    test('sees each endpoint, its calls, its end and the share that has moved', async () => {
      const figures = await page.locator('.figures').innerText()
      assert.match(figures, /0 %\s+0 of 3 endpoints/)
      assert.match(await row(details).innerText(), /in use\s+1\s+(just now|\d+ \w+ ago)\s+in \d+ years?/)
      assert.match(await row('/tenant/logo').innerText(), /ends without a replacement/)
      assert.equal(await page.getByText('20 endpoints', { exact: true }).count(), 1)
    })

    test('gets the request that replaces it, with identifiers of both versions', async () => {
      await row(details).getByRole('button', { name: 'Show' }).click()
      await page.getByText(`GET /v1/spaces/details/${spaceId}`, { exact: true }).waitFor()
      await page.getByText(`GET /v2/spaces/${spaceUuid}/overview`, { exact: true }).waitFor()
      const code = (await page.locator('.replacement .code code').textContent()) ?? ''
      assert.ok(code.includes(`/v2/spaces/${spaceUuid}/overview'`), code)
      await row('/spaces/utilities/{spaceId}/monthly').getByRole('button', { name: 'Show' }).click()
      await page.getByText(`GET /v2/spaces/${spaceUuid}/aggregate/electricity/daily`).waitFor()
      const monthly = (await page.locator('.replacement .code code').textContent()) ?? ''
      assert.match(monthly, /interval=P1M&fromDateTime=\d{4}-\d\d-01/)
    })

    test('chooses another space', async () => {
      const select = page.getByLabel('Requests for space')
      const values = await select
        .locator('option')
        .evaluateAll((options) => options.map((option) => option.getAttribute('value') ?? ''))
      await select.selectOption(values.at(-1) ?? '')
      await page.getByText(`GET /v2/spaces/${values.at(-1)}/aggregate/electricity/daily`).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('space'), values.at(-1))
    })

    test('sees the state of version 1 in the overview', async () => {
      await visit(page, installation.portico, '/console')
      const figure = page.locator('.figures > div').filter({ hasText: 'Version 1' })
      await figure.waitFor()
      assert.match(await figure.innerText(), /3 endpoints\s+of 3 still called; the next ends in \d+ years?/)
      await figure.getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: 'Migration' }).waitFor()
      await whenLoaded(page)
    })

    test('finds nothing that axe objects to, light and dark, narrow and wide', async () => {
      await row(details).getByRole('button', { name: 'Show' }).click()
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await assertAccessible(page)
        await assertFits(page, width)
        await assertShowsCalls(page)
      }
      page.assertNoForeignRequests()
    })
  })

  test('that never called version 1 is told that there is nothing to migrate', async () => {
    const page = await open(await newPartner({ sites: [house.siteUuid] }), '/console/migration')
    await page.getByText('You have never called version 1').waitFor()
    await assertAccessible(page)
  })
})
