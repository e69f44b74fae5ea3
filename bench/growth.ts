import { atMost, type Benchmark } from './benchmark.ts'
import { hourlyReads, millions } from './support/questions.ts'
import { inRounds, ratioOf, roundsFor } from './support/rounds.ts'
import { load, shown } from './support/show.ts'
import { makeYear } from './support/year.ts'

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
          few: { ...small.installation, requests: hourlyReads(small, small.from) },
          many: { ...large.installation, requests: hourlyReads(large, large.from) },
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
