import { atMost, type Benchmark } from './benchmark.ts'
import { hourlyReadRequests, millions } from './support/read-requests.ts'
import { toRatio } from './support/ratio.ts'
import { runInterleaved, roundsFor } from './support/rounds.ts'
import { formatMeasurement, formatRatio } from './support/format.ts'
import { makeDataset } from './support/dataset.ts'

export const growth: Benchmark = {
  name: 'growth',
  about:
    'Processor time of reading 48 hours of a random room by the hour, on a large store relative to a small one.',
  async run({ isSmoke, year }) {
    const large = await year.get()
    const small = await makeDataset(isSmoke ? { rooms: 1, days: 10 } : { rooms: 8, days: 365 })
    try {
      const { few, many } = await runInterleaved(
        {
          few: { ...small.installation, requests: hourlyReadRequests(small, small.from) },
          many: { ...large.installation, requests: hourlyReadRequests(large, large.from) },
        },
        roundsFor(isSmoke),
      )
      const ratio = toRatio(few.perCpuSecond, many.perCpuSecond)
      return [
        {
          label: `${millions(large)} readings over ${millions(small)}`,
          value: formatRatio(ratio),
          ...atMost(1.1, ratio.value),
          detail: `many ${formatMeasurement(many)}; few ${formatMeasurement(few)}`,
        },
      ]
    } finally {
      await small.close()
    }
  },
}
