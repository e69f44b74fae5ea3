import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { launchBrowser, openPage, plainHost } from './browser.ts'
import { type Language, parseSnippets } from './snippets.ts'

const languages: Language[] = ['typescript', 'curl', 'python']
const readClipboard = 'navigator.clipboard.readText()'

describe('the quickstart in a browser', { skip: skipWithout(testTools.chromium) }, () => {
  let portico: Portico
  let browser: Browser
  let html: string
  before(async () => {
    portico = await startPortico()
    browser = await launchBrowser()
    html = (await api(portico, '/')).text
  })
  after(async () => {
    await browser.close()
    await portico.stop()
  })

  for (const language of languages) {
    test(`each copy button copies exactly its snippet: ${language}`, async () => {
      const permissions = ['clipboard-read', 'clipboard-write']
      const page = await openPage(browser, portico.url, { permissions })
      await page.locator(`label[for=${language}]`).click()
      const copied: unknown[] = []
      for (const button of await page.locator(`.in-${language} button.copy`).all()) {
        await button.click()
        copied.push(await page.evaluate(readClipboard))
      }
      assert.deepEqual(copied, parseSnippets(html, language))
      page.assertNoForeignRequests()
    })
  }

  test('copying works without the clipboard API, over plain HTTP from another machine', async () => {
    const page = await openPage(browser, `http://${plainHost}:${portico.port}/`)
    assert.equal(await page.evaluate('isSecureContext'), false)
    await page.locator('label[for=curl]').click()
    await page.locator('.in-curl button.copy').nth(1).click()
    await page.getByText('Copied').waitFor()
    const permissions = ['clipboard-read']
    const reader = await openPage(browser, portico.url, { permissions })
    assert.equal(await reader.evaluate(readClipboard), parseSnippets(html, 'curl')[1])
  })

  test('the selected language is the one that is shown', async () => {
    const page = await openPage(browser, portico.url)
    for (const chosen of languages) {
      await page.locator(`label[for=${chosen}]`).click()
      for (const language of languages) {
        const isShown = await page.locator(`div.in-${language}`).first().isVisible()
        assert.equal(isShown, language === chosen, `${language} with ${chosen} chosen`)
      }
    }
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`it fits a phone screen and loads nothing from other hosts in ${colorScheme} colours`, async () => {
      const page = await openPage(browser, portico.url, {
        colorScheme,
        viewport: { width: 360, height: 740 },
      })
      for (const language of languages) {
        await page.locator(`label[for=${language}]`).click()
        assert.equal(await page.evaluate('document.scrollingElement.scrollWidth'), 360)
      }
      page.assertNoForeignRequests()
    })
  }
})
