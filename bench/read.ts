import { type Benchmark, type Row, atLeast } from './benchmark.ts'
import type { HttpRequest } from './support/saturate.ts'
import { hourlyReadRequests, millions } from './support/read-requests.ts'
import { type Reference, startStaticServer } from './support/reference.ts'
import { DAY_MS } from './support/residence.ts'
import { toRatio } from './support/ratio.ts'
import { type Contender, runInterleaved, type RoundOptions, roundsFor } from './support/rounds.ts'
import { formatMeasurement, formatRatio } from './support/format.ts'
import { answerTo, withEtags } from './support/send.ts'
import type { Dataset } from './support/dataset.ts'

export const read: Benchmark = {
  name: 'read',
  about:
    'GET /v2/spaces/{uuid}/aggregate/{metric}/hourly over 48 hours with a partner’s token, relative to a plain node:http server that sends the same headers and body from memory. Ratios are of requests per second of the server’s processor time.',
  async run({ isSmoke, year: shared }) {
    const year = await shared.get()
    const recent = hourlyReadRequests(year, year.to - 3 * DAY_MS)
    const anywhere = hourlyReadRequests(year, year.from)
    const known = await withEtags(year, recent.slice(0, isSmoke ? 50 : 1_000))
    const options = roundsFor(isSmoke)
    const [request] = recent
    if (!request) throw new Error('There is nothing to read.')
    const same = await startStaticServer(await answerTo(year, request))
    const hello = await startStaticServer({ headers: { 'content-type': 'text/plain' }, body: 'hello\n' })
    try {
      return [
        await against(year, recent, same, options, 'a random room, in the last 72 hours', 0.45),
        await against(
          year,
          anywhere,
          same,
          options,
          `a random room and range among ${millions(year)} readings`,
          0.28,
        ),
        await against(
          year,
          known,
          hello,
          options,
          '304 for a client that has the current version, over a node:http server that sends a short text',
          0.6,
        ),
      ]
    } finally {
      await same.stop()
      await hello.stop()
    }
  },
}

async function against(
  { installation: { url, pid } }: Dataset,
  request: readonly HttpRequest[],
  reference: Reference,
  options: RoundOptions,
  label: string,
  wanted: number,
): Promise<Row> {
  const portico: Contender = { url, pid, requests: request }
  const { 'node:http': bare, Portico: own } = await runInterleaved(
    { 'node:http': { ...reference, requests: request }, Portico: portico },
    options,
  )
  const ratio = toRatio(own.perCpuSecond, bare.perCpuSecond)
  return {
    label,
    value: formatRatio(ratio),
    ...atLeast(wanted, ratio.value),
    detail: `Portico ${formatMeasurement(own)}; node:http ${formatMeasurement(bare)}`,
  }
}
