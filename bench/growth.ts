import { atMost, type Benchmark } from './benchmark.ts'
import { createDice } from './support/random.ts'
import { DAY_MS, METRICS } from './support/residence.ts'
import { inRounds, ratioOf, roundsFor } from './support/rounds.ts'
import { load, shown } from './support/show.ts'
import { makeYear, type Year } from './support/year.ts'

const HOUR_MS = 3_600_000

export const growth: Benchmark = {
  name: 'growth',
  about:
    'What 48 hours by the hour of any room cost when there are many more readings: processor time, large over small.',
  async run({ isSmoke, year }) {
    const large = await year.get()
    const small = await makeYear(isSmoke ? { rooms: 1, days: 10 } : { rooms: 8, days: 365 })
    try {
      const { few, many } = await inRounds(
        {
          few: { ...small.installation, requests: reads(small) },
          many: { ...large.installation, requests: reads(large) },
        },
        roundsFor(isSmoke),
      )
      const ratio = ratioOf(few.perCpuSecond, many.perCpuSecond)
      return [
        {
          what: `${millions(large)} readings over ${millions(small)}`,
          figure: shown(ratio),
          ...atMost(1.1, ratio.value),
          detail: `many ${load(many)}; few ${load(few)}`,
        },
      ]
    } finally {
      await small.close()
    }
  },
}

const millions = ({ readingCount }: Year): string => `${(readingCount / 1e6).toPrecision(2)} million`

const reads = ({ residence, from, to, read }: Year) => {
  const dice = createDice()
  return Array.from({ length: 20_000 }, () => {
    const start = Math.ceil(from / HOUR_MS) * HOUR_MS + dice((to - from) / HOUR_MS - 49) * HOUR_MS
    const metric = METRICS[dice(METRICS.length)] ?? 'electricity'
    const room = dice(residence.spaceUuids.length)
    return read({ room, metric, granularity: 'hourly', from: start, to: start + 2 * DAY_MS })
  })
}
