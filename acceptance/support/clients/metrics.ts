import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Portico } from '../servers/portico.ts'

/** How long the server may return the result of an earlier scrape. */
const CACHED_MS = 1_000

const scrapedAt = new Map<string, number>()

/** The server's Prometheus metrics as text, computed after this call. */
export async function readMetrics({ metricsUrl }: Pick<Portico, 'metricsUrl'>): Promise<string> {
  await sleep(Math.max(0, (scrapedAt.get(metricsUrl) ?? 0) + CACHED_MS - performance.now()))
  const response = await fetch(metricsUrl)
  scrapedAt.set(metricsUrl, performance.now())
  assert.equal(response.status, 200)
  return response.text()
}
