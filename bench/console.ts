import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../acceptance/pages/browser.ts'
import type { DemoEnv } from '../acceptance/support/servers/demo-env.ts'
import { startPortico } from '../acceptance/support/servers/portico.ts'
import { atMost, type Benchmark, type Row } from './benchmark.ts'

/** A slow office network: 100 ms to the server and back, 10 Mbit/s. */
const NETWORK = { offline: false, latency: 100, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }

/** The console as a browser loads it. */
export const consolePages: Benchmark = {
  name: 'console',
  about:
    'The console in Chromium, at 100 ms round-trip time and 10 Mbit/s: what the first view loads, the time until it shows its data, and what it requests while nobody uses it.',
  async run({ isSmoke }) {
    await using server = await startPortico({ env: { LOG_LEVEL: 'error' } })
    const browser = await launchBrowser()
    try {
      return await measure(browser, server.demoEnv, isSmoke)
    } finally {
      await browser.close()
    }
  },
}

async function measure(browser: Browser, env: DemoEnv, isSmoke: boolean): Promise<Row[]> {
  const origin = new URL(env.BASE_URL).origin
  const page = await browser.newPage()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await signIn(page, origin, env)
  await devtools.send('Network.clearBrowserCache')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  const traffic = countTraffic(devtools)
  const firstMs = await timeView(page, origin)
  const { bytes, requests } = traffic.stop()
  const againMs = await timeView(page, origin)
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

async function timeView(page: Page, origin: string): Promise<number> {
  const startedAt = performance.now()
  await page.goto(`${origin}/console`, { waitUntil: 'commit' })
  await waitForData(page)
  return performance.now() - startedAt
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

async function measureIdle(page: Page, devtools: CDPSession): Promise<Row> {
  const panels = await page.locator('.panel').count()
  const traffic = countTraffic(devtools)
  await page.waitForTimeout(IDLE_MINUTES * 60_000)
  const { requests } = traffic.stop()
  const perPanel = requests / IDLE_MINUTES / panels
  return {
    label: 'requests of an idle console, per minute and panel',
    value: perPanel.toFixed(2),
    ...atMost(1, perPanel),
    detail: `${requests} requests of ${panels} panels in ${IDLE_MINUTES} minutes`,
  }
}
