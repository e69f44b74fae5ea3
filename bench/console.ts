import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { openConsole } from '../acceptance/console/console-page.ts'
import { launchBrowser } from '../acceptance/pages/browser.ts'
import { addPartner } from '../acceptance/support/clients/operator.ts'
import type { DemoEnv } from '../acceptance/support/servers/demo-env.ts'
import { findFreePort } from '../acceptance/support/servers/free-port.ts'
import { startInstallation } from '../acceptance/support/servers/installation.ts'
import { type Portico, startPortico } from '../acceptance/support/servers/portico.ts'
import { atMost, type Benchmark, type Row } from './benchmark.ts'
import { median } from './support/ratio.ts'
import { readLiveMb, toInspectorOption } from './support/live-memory.ts'

/** A slow office network: 100 ms to the server and back, 10 Mbit/s. */
const NETWORK = { offline: false, latency: 100, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }

/** The console as a browser loads it. */
export const consolePages: Benchmark = {
  name: 'console',
  about:
    'The console in Chromium, at 100 ms round-trip time and 10 Mbit/s: what the first view loads, the time until it shows its data, what it requests while nobody uses it, and the memory it takes in the server.',
  async run({ isSmoke }) {
    await using server = await startPortico({ env: { LOG_LEVEL: 'error' } })
    const browser = await launchBrowser()
    try {
      return [
        ...(await measure(browser, server, isSmoke)),
        ...(isSmoke ? [] : [await measureMemory(browser)]),
      ]
    } finally {
      await browser.close()
    }
  },
}

async function measure(browser: Browser, { demoEnv: env }: Portico, isSmoke: boolean): Promise<Row[]> {
  const origin = new URL(env.BASE_URL).origin
  const page = await browser.newPage()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await page.addInitScript(WATCH)
  await signIn(page, origin, env)
  await devtools.send('Network.clearBrowserCache')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  const traffic = countTraffic(devtools)
  const firstMs = await timeView(page, origin)
  const { bytes, requests } = traffic.stop()
  const againMs = await timeAgain(page, origin)
  const kilobytes = bytes / 1000
  return [
    { label: 'first view, compressed', value: `${kilobytes.toFixed(1)} kB`, ...atMost(80, kilobytes, ' kB') },
    { label: 'requests of the first view', value: String(requests), ...atMost(12, requests) },
    {
      label: 'first view shows its data after',
      value: `${firstMs.toFixed(0)} ms`,
      ...atMost(1000, firstMs, ' ms'),
    },
    {
      label: 'the same with a full cache',
      value: `${againMs.toFixed(0)} ms`,
      ...atMost(300, againMs, ' ms'),
    },
    ...(isSmoke ? [] : [await measureIdle(page, devtools)]),
  ]
}

async function signIn(page: Page, origin: string, env: DemoEnv): Promise<void> {
  await page.goto(`${origin}/console`)
  await page.fill('[name=clientId]', env.CLIENT_ID)
  await page.fill('[name=clientSecret]', env.CLIENT_SECRET)
  await page.click('button[type=submit], form button')
  await waitForData(page)
}

async function waitForData(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.locator('.panel:not(:has(.skeleton))').first().waitFor()
}

/** Records when the first panel shows its data, in milliseconds since the page was requested. */
const WATCH = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.panel:not(:has(.skeleton))')) return
  globalThis.shownAt = performance.now()
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })`

/** Measured in the page: a test program learns of it only later. */
async function timeView(page: Page, origin: string): Promise<number> {
  await page.goto(`${origin}/console`, { waitUntil: 'commit' })
  await waitForData(page)
  return Number(await page.evaluate('globalThis.shownAt'))
}

const REPEATS = 7

async function timeAgain(page: Page, origin: string): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < REPEATS; count++) times.push(await timeView(page, origin))
  return median(times)
}

interface Traffic {
  bytes: number
  requests: number
}

function countTraffic(devtools: CDPSession): { stop: () => Traffic } {
  const traffic = { bytes: 0, requests: 0 }
  const onRequest = ({ request }: { request: { url: string } }): void => {
    if (request.url.startsWith('http')) traffic.requests += 1
  }
  const onFinished = ({ encodedDataLength }: { encodedDataLength: number }): void => {
    traffic.bytes += encodedDataLength
  }
  devtools.on('Network.requestWillBeSent', onRequest)
  devtools.on('Network.loadingFinished', onFinished)
  return {
    stop() {
      devtools.off('Network.requestWillBeSent', onRequest)
      devtools.off('Network.loadingFinished', onFinished)
      return traffic
    },
  }
}

const IDLE_MINUTES = 2

/** Requests of a console that is open but not in use. */
async function measureIdle(page: Page, devtools: CDPSession): Promise<Row> {
  const panels = await page.locator('.panel').count()
  const traffic = countTraffic(devtools)
  await delay(IDLE_MINUTES * 60_000)
  const { requests } = traffic.stop()
  const perPanel = requests / IDLE_MINUTES / panels
  return {
    label: 'requests of an idle console, per minute and panel',
    value: perPanel.toFixed(2),
    ...atMost(1, perPanel),
    detail: `${requests} requests of ${panels} panels in ${IDLE_MINUTES} minutes`,
  }
}

/** Maximum memory that the console may add to the server. */
const MOST_MEMORY_MB = 3

/** Memory of a server whose console is in use, compared with one that has none. */
async function measureMemory(browser: Browser): Promise<Row> {
  const without = await readServerMb('off')
  const used = await readServerMb('on', browser)
  const addedMb = used - without
  return {
    label: 'memory of the server with the console, compared with `CONSOLE=off`',
    value: `${addedMb < 0 ? '−' : '+'}${Math.abs(addedMb).toFixed(1)} MB`,
    ...atMost(MOST_MEMORY_MB, Math.max(addedMb, 0.1), ' MB'),
    detail: `${used.toFixed(1)} MB instead of ${without.toFixed(1)} MB after garbage collection`,
  }
}

/** Memory of a server without the demo, whose devices are never idle. With a browser, an operator signs in first. */
async function readServerMb(console: 'on' | 'off', browser?: Browser): Promise<number> {
  const port = await findFreePort()
  const installation = await startInstallation({ CONSOLE: console, NODE_OPTIONS: toInspectorOption(port) })
  try {
    const { portico, operator } = installation
    const person = await addPartner(portico, operator, { roles: ['Operator'], sites: [] })
    if (browser) {
      const page = await openConsole(browser, portico, person, '/console/operator')
      await page.context().close()
    }
    return await readLiveMb(portico.pid, port)
  } finally {
    await installation.stop()
  }
}
