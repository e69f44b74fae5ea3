import { atLeast, type Benchmark } from './benchmark.ts'
import { hourlyReads } from './support/questions.ts'
import { inRounds, ratioOf, roundsFor } from './support/rounds.ts'
import { load, shown } from './support/show.ts'
import { makeYear } from './support/year.ts'

/** Reads are to scale by 1.7 on two cores that nobody else needs: here callers need them, so it is what a core has to do at least. */
const WANTED = 1.7 / 2

export const workers: Benchmark = {
  name: 'workers',
  about:
    'Two workers on the same readings as one: reads for a second of processor time, of all processes together. On two cores of their own they answer twice as many times this as one does.',
  async run({ isSmoke }) {
    const size = isSmoke ? { rooms: 1, days: 10 } : { rooms: 50, days: 60 }
    const alone = await makeYear(size)
    const several = await makeYear({ ...size, workers: 2, like: alone })
    try {
      const { one, two } = await inRounds(
        {
          one: { ...alone.installation, requests: hourlyReads(alone, alone.from) },
          two: { ...several.installation, requests: hourlyReads(several, several.from) },
        },
        roundsFor(isSmoke),
      )
      const ratio = ratioOf(two.perCpuSecond, one.perCpuSecond)
      return [
        {
          what: 'reads for a second of processor time, two workers over one',
          figure: shown(ratio),
          ...atLeast(WANTED, ratio.value),
          detail: `two ${load(two)}; one ${load(one)}`,
        },
      ]
    } finally {
      await several.close()
      await alone.close()
    }
  },
}
