import { type Benchmark, type Row, atLeast } from './benchmark.ts'
import type { Sent } from './support/full-load.ts'
import { hourlyReads, millions } from './support/questions.ts'
import { type Reference, startSameBytes } from './support/reference.ts'
import { DAY_MS } from './support/residence.ts'
import { type Contender, inRounds, type RoundOptions, ratioOf, roundsFor } from './support/rounds.ts'
import { load, shown } from './support/show.ts'
import { answerTo, withEtags } from './support/send.ts'
import type { Year } from './support/year.ts'

export const read: Benchmark = {
  name: 'read',
  about:
    'GET /v2/spaces/{uuid}/aggregate/{metric}/hourly over 48 hours, for a partner with a token, against a bare node:http that answers the same headers and body from memory. The ratio is of requests answered for a second of the server’s processor time.',
  async run({ isSmoke, year: shared }) {
    const year = await shared.get()
    const recent = hourlyReads(year, year.to - 3 * DAY_MS)
    const anywhere = hourlyReads(year, year.from)
    const known = await withEtags(year, recent.slice(0, isSmoke ? 50 : 1_000))
    const options = roundsFor(isSmoke)
    const [asked] = recent
    if (!asked) throw new Error('There is nothing to read.')
    const same = await startSameBytes(await answerTo(year, asked))
    const hello = await startSameBytes({ headers: { 'content-type': 'text/plain' }, body: 'hello\n' })
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
          '304 to who has it already, over node:http saying hello',
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
  { installation: { url, pid } }: Year,
  asked: readonly Sent[],
  reference: Reference,
  options: RoundOptions,
  what: string,
  wanted: number,
): Promise<Row> {
  const portico: Contender = { url, pid, requests: asked }
  const { 'node:http': bare, Portico: own } = await inRounds(
    { 'node:http': { ...reference, requests: asked }, Portico: portico },
    options,
  )
  const ratio = ratioOf(own.perCpuSecond, bare.perCpuSecond)
  return {
    what,
    figure: shown(ratio),
    ...atLeast(wanted, ratio.value),
    detail: `Portico ${load(own)}; node:http ${load(bare)}`,
  }
}
