import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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

/** The page has a heading and waits for no response. */
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

/** Minified: browsers parse it again for each page. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The colour scheme changes colours only: in dark colours, the rules that examine colours are enough. */
const RULES = {
  light: {},
  dark: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
} as const

/** Fails if axe finds a violation in light or in dark colours. */
export async function assertAccessible(page: Page): Promise<void> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axeSource)
  for (const [colorScheme, rules] of Object.entries(RULES)) {
    await page.emulateMedia({ colorScheme: colorScheme as keyof typeof RULES })
    const options = JSON.stringify({ ...rules, resultTypes: ['violations'] })
    const violations = await page.evaluate(`axe.run(${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]))`)
    assert.deepEqual(violations, [], `${page.url()} in ${colorScheme} colours`)
  }
}

/** Elements that extend beyond the right edge of the window, unless they are inside a scrolling box. */
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

/** Every panel can show its call; one with an empty form can once the form is filled in. */
export async function assertShowsCalls(page: Page): Promise<void> {
  const silent = page
    .locator('section.panel:not(:has(form, pre))')
    .filter({ hasNot: page.getByRole('button', { name: 'Show the call' }) })
  const titles = await silent.evaluateAll((panels) => panels.map((panel) => panel.getAttribute('aria-label')))
  assert.deepEqual(titles, [], page.url())
}
