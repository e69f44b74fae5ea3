import assert from 'node:assert/strict'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium, missingText, testTools } from '../support/servers/test-tools.ts'

/** A name that resolves to this machine but is not `localhost`: its plain HTTP pages are not a secure context. */
export const plainHost = 'portico.test'

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No other host resolves, whichever component looks it up.
  `--host-resolver-rules=MAP ${plainHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1`,
]

/** Timeout of waits, not a measure of speed: six test files share two cores. */
const GIVE_UP_MS = 180_000

/** Uses a temporary profile, which is deleted with the browser. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(missingText(testTools.chromium))
  return chromium.launch({ executablePath, headless: true, args, timeout: GIVE_UP_MS })
}

export interface WatchedPage extends Page {
  /** Fails the test if the page requested anything from another origin or reported an error. */
  assertNoForeignRequests(): void
}

/** A page in a fresh context. Requests to other origins are blocked and recorded. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const { origin } = new URL(address)
  const context = await browser.newContext(options)
  context.setDefaultTimeout(GIVE_UP_MS)
  const outside: string[] = []
  const complaints: string[] = []
  await context.route(
    (url) => url.origin !== origin,
    (route) => {
      outside.push(route.request().url())
      return route.abort()
    },
  )
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  // Violations of the page's content security policy are reported here as well.
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(address)
  return Object.assign(page, {
    assertNoForeignRequests() {
      assert.deepEqual(outside, [])
      assert.deepEqual(complaints, [])
    },
  })
}
