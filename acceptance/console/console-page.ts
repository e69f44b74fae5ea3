import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { openPage, type WatchedPage } from '../pages/browser.ts'
import type { Portico } from '../support/servers/portico.ts'

export interface Credentials {
  clientId: string
  clientSecret: string
}

/** Opens an address of the console and signs in with the form, which leads back to it. */
export async function openConsole(
  browser: Browser,
  portico: Pick<Portico, 'url'>,
  { clientId, clientSecret }: Credentials,
  path: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await openPage(browser, `${portico.url}${path}`, options)
  await page.getByLabel('Client ID').fill(clientId)
  await page.getByLabel('Client secret').fill(clientSecret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await whenLoaded(page)
  return page
}

export async function visit(page: Page, portico: Pick<Portico, 'url'>, path: string): Promise<void> {
  await page.goto(`${portico.url}${path}`)
  await whenLoaded(page)
}

/** The page has a heading and waits for no answer. */
export const whenLoaded = (page: Page): Promise<void> =>
  page.locator('main:has(h1):not(:has(.skeleton))').waitFor()

const MOST_STEPS = 300

/** Presses Tab until a control has the focus. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`the Tab key does not reach ${control.toString()}`)
}

/** Fails if axe finds a violation in light or in dark colours. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as axe.AxeResults
    assert.deepEqual(
      violations.map(({ id, nodes }) => [
        id,
        nodes.map(({ html, failureSummary }) => [html, failureSummary]),
      ]),
      [],
      `${page.url()} in ${colorScheme} colours`,
    )
  }
}

/** Elements that reach beyond the right edge of the window, unless they scroll in a box of their own. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.table, pre, nav'))
  .map((element) => element.outerHTML.slice(0, 200))`

/** The page does not scroll sideways. */
export async function assertFits(page: Page, width: number): Promise<void> {
  assert.deepEqual(await page.evaluate(TOO_WIDE), [], page.url())
  assert.equal(await page.evaluate('document.scrollingElement.scrollWidth'), width, page.url())
}

/** Clicks the button with exactly this name: "Show the call: …" repeats the names of others. */
export const press = (scope: Page | Locator, name: string): Promise<void> =>
  scope.getByRole('button', { name, exact: true }).click()
