import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { startInstallation } from '../support/servers/installation.ts'
import { type LargeSite, makeLargeSite } from '../support/overload/large-site.ts'
import { scale } from '../support/overload/scale.ts'
import { residentBytes } from '../support/overload/watch-server.ts'
import { type Portico, removeDataDir, startPortico } from '../support/servers/portico.ts'
import { tokenFor } from '../support/clients/requests.ts'

/** Limit on the increase of the server's memory during a request. */
const MOST_GROWTH_MB = 64
/** Longest time that a request may block the event loop, in processor time. */
const LONGEST_DELAY_MS = 50
/**
 * A garbage collection can delay any event, and the same code takes more processor time while other processes share the
 * caches. Code that blocks the event loop or holds too much memory does so after every start.
 */
const ATTEMPTS = 6

const MIB = 1024 * 1024
const DAY_MS = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

/** The longest delay of the event loop since the previous call. */
async function longestDelayMs(portico: Portico, file: string): Promise<number> {
  await rm(file, { force: true })
  portico.signal('SIGUSR2')
  return eventually(async () => Number(await readFile(file, 'utf8')))
}

/** Sends a request while sampling the server's memory. */
async function growthMb({ pid }: Portico, ask: () => Promise<void>): Promise<number> {
  const base = await residentBytes(pid)
  let peak = base
  const stopping = new AbortController()
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      peak = Math.max(peak, await residentBytes(pid))
      await sleep(20)
    }
  })()
  try {
    await ask()
  } finally {
    stopping.abort()
    await sampling
  }
  return Math.round((peak - base) / MIB)
}

describe('the first request after a start, for a site of 1,000 spaces', () => {
  let site: LargeSite
  let dataDir = ''
  before(async () => {
    const installation = await startInstallation({ LOG_LEVEL: 'error' })
    dataDir = installation.portico.dataDir
    site = await makeLargeSite(installation, 1_000, 1_000, scale(40, 400), scale(1, 8))
    await installation.portico.stop()
  })
  after(() => removeDataDir(dataDir))

  async function measure(path: string): Promise<{ growth: number; delayMs: number }> {
    const file = join(dataDir, 'longest-delay')
    await using portico = await startPortico({
      demo: false,
      dataDir,
      env: {
        RATE_LIMIT: 'off',
        LOOP_DELAY_FILE: file,
        NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/event-loop-delay.ts')}`,
      },
    })
    const { siteId, partner } = site.client
    const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
    const headers = { authorization: `Bearer ${token}`, SiteId: siteId }
    await longestDelayMs(portico, file)
    const growth = await growthMb(portico, async () => {
      const response = await fetch(`${portico.origin}${path}`, { headers })
      assert.equal(response.status, 200, await response.text())
    })
    return { growth, delayMs: await longestDelayMs(portico, file) }
  }

  const requests: [name: string, path: () => string][] = [
    ['a short series', () => `aggregate/electricity/daily?fromDateTime=${daysAgo(20)}`],
    [
      'all spaces by quarter hour',
      () => `aggregate/temperature/hourly?interval=PT15M&fromDateTime=${daysAgo(30)}&scope=cluster`,
    ],
    ['an overview', () => 'overview'],
  ]

  for (const [name, path] of requests) {
    test(`${name}: bounded memory, and the event loop is never blocked for long`, async (context) => {
      let least = { growth: Number.POSITIVE_INFINITY, delayMs: Number.POSITIVE_INFINITY }
      const isBounded = (): boolean => least.growth <= MOST_GROWTH_MB && least.delayMs <= LONGEST_DELAY_MS
      for (let attempt = 0; attempt < ATTEMPTS && !isBounded(); attempt += 1) {
        const { growth, delayMs } = await measure(`/v2/spaces/${site.spaces[0]}/${path()}`)
        context.diagnostic(`${growth} MB, ${Math.round(delayMs)} ms`)
        least = { growth: Math.min(least.growth, growth), delayMs: Math.min(least.delayMs, delayMs) }
      }
      assert.ok(least.growth <= MOST_GROWTH_MB, `memory grew by ${least.growth} MB`)
      assert.ok(
        least.delayMs <= LONGEST_DELAY_MS,
        `the event loop was blocked for ${Math.round(least.delayMs)} ms`,
      )
    })
  }
})
