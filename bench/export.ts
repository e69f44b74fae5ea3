import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { atLeast, atMost, type Benchmark } from './benchmark.ts'
import type { Dataset } from './support/dataset.ts'
import { whileDraining } from './support/drain.ts'
import { DAY_MS } from './support/residence.ts'
import { median } from './support/ratio.ts'
import { createReader } from './support/steady-reader.ts'
import { readCpuSeconds, readResidentMb, untilIdle } from './support/usage.ts'

/** Readings per second of the server’s processor time. */
const FLOORS = { ndjson: 500_000, csv: 500_000, parquet: 400_000 }
const FORMATS = ['ndjson', 'csv', 'parquet'] as const
const READINGS = 10_000_000
const READS_A_SECOND = 100

/** Exports of readings: their cost, their memory, and their effect on other requests. */
export const exports: Benchmark = {
  name: 'export',
  about:
    'Readings of the year, exported by a partner. Throughput is per second of the server’s processor time, with all its threads. Reads of other requests are sent at a fixed rate, and their latency is measured from the time at which a request was due.',
  async run({ isSmoke, year: shared }) {
    const year = await shared.get()
    const { installation, partner, residence, readingCount, from, to } = year
    const { pid } = installation
    const days = Math.max(1, Math.floor((to - from) / DAY_MS) - 1)
    const perDay = Math.floor(readingCount / Math.ceil((to - from) / DAY_MS))
    const token = await installation.tokenFor(partner)
    const client = createExportClient(year, token)
    const long = Math.min(days, Math.ceil(READINGS / perDay))
    const short = Math.min(days, Math.ceil(READINGS / 5 / perDay))
    const reader = await createReader(year, READS_A_SECOND)
    const rates = new Map<string, number>()
    const firstBytes: number[] = []
    try {
      for (const format of FORMATS) {
        await client.read(format, 1)
        const own: number[] = []
        for (let round = 0; round < (isSmoke ? 1 : 3); round += 1) {
          if (!isSmoke) await untilIdle(pid)
          const before = readCpuSeconds(pid)
          const { firstByteMs } = await client.read(format, short)
          own.push((short * perDay) / Math.max(0.01, readCpuSeconds(pid) - before))
          firstBytes.push(firstByteMs)
        }
        rates.set(format, median(own))
      }
      const base = readResidentMb(pid)
      let most = base
      for (const format of ['ndjson', 'parquet'] as const) {
        const progress = { isDone: false }
        const reading = client.read(format, long).finally(() => (progress.isDone = true))
        while (!progress.isDone) {
          most = Math.max(most, readResidentMb(pid))
          await delay(100)
        }
        await reading
      }
      const seconds = isSmoke ? 1 : 8
      const wholeExport = { url: client.url('ndjson', days), token, siteUuid: residence.siteUuid }
      const [alone, beside]: [number[], number[]] = [[], []]
      await reader.measureP99(isSmoke ? 1 : 5)
      for (let round = 0; round < (isSmoke ? 1 : 5); round += 1) {
        alone.push(await reader.measureP99(seconds))
        beside.push(await whileDraining(wholeExport, () => reader.measureP99(seconds)))
      }
      const ratio = median(beside) / median(alone)
      return [
        ...FORMATS.map((format) => {
          const rate = rates.get(format) ?? 0
          return {
            label: `readings per CPU-second, ${format === 'parquet' ? 'Parquet' : format.toUpperCase()}`,
            value: Math.round(rate).toLocaleString('en'),
            ...atLeast(FLOORS[format], rate),
          }
        }),
        {
          label: `resident memory during an export of ${(long * perDay).toLocaleString('en')} readings, above the server before`,
          value: `${Math.round(most - base)} MB`,
          ...atMost(60, Math.max(1, most - base), ' MB'),
        },
        {
          label: 'first byte of an export',
          value: `${Math.round(median(firstBytes))} ms`,
          ...atMost(200, median(firstBytes), ' ms'),
        },
        {
          label: 'p99 of reads while an export runs, over p99 without',
          value: ratio.toFixed(2),
          ...atMost(1.5, ratio),
          detail: `${median(beside).toFixed(1)} ms against ${median(alone).toFixed(1)} ms at ${READS_A_SECOND} reads per second of ${residence.spaceUuids.length} rooms`,
        },
      ]
    } finally {
      await reader.close()
      client.close()
    }
  },
}

function createExportClient({ installation, residence, to }: Dataset, token: string) {
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${token}`, siteid: residence.siteUuid }
  const iso = (ms: number): string => new Date(ms).toISOString()
  const url = (format: string, days: number): string =>
    `${installation.url}/v2/export/readings?format=${format}&fromDateTime=${iso(to - days * DAY_MS)}&toDateTime=${iso(to)}`
  return {
    url,
    read(format: string, days: number): Promise<{ firstByteMs: number }> {
      const since = performance.now()
      return new Promise((resolve, reject) => {
        const sent = request(url(format, days), { agent, headers }, (response) => {
          let firstByteMs = Number.NaN
          response.once('data', () => (firstByteMs = performance.now() - since))
          response.on('data', () => {})
          response.once('error', reject)
          response.once('end', () => {
            if (response.statusCode === 200 && response.complete) resolve({ firstByteMs })
            else reject(new Error(`${format}: ${response.statusCode}`))
          })
        })
        sent.once('error', reject)
        sent.end()
      })
    },
    close: () => agent.destroy(),
  }
}
