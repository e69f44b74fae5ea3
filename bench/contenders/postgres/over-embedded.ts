import type { PostgresCluster } from '../../../acceptance/support/servers/postgres.ts'
import { atLeast, type Row } from '../../benchmark.ts'
import { hourlyReadRequests, millions } from '../../support/read-requests.ts'
import { median, toRatio } from '../../support/ratio.ts'
import { runInterleaved, roundsFor } from '../../support/rounds.ts'
import { send } from '../../support/send.ts'
import { formatMeasurement, formatRatio } from '../../support/format.ts'
import { makeDataset, type Dataset } from '../../support/dataset.ts'
import { connected, makeDatabase } from './database.ts'

/** Reads from a server on PostgreSQL, relative to reads from one on the embedded store. */
export async function overEmbedded(cluster: PostgresCluster, isSmoke: boolean): Promise<Row[]> {
  const size = isSmoke ? { rooms: 4, days: 10 } : { rooms: 100, days: 60 }
  const database = await makeDatabase(cluster, 'year')
  const embedded = await makeDataset(size)
  try {
    const served = await makeDataset({ ...size, database, like: embedded })
    try {
      await connected(database, (sql) => sql`VACUUM ANALYZE`)
      await answerAlike(embedded, served)
      return await compare(embedded, served, cluster, isSmoke)
    } finally {
      await served.close()
    }
  } finally {
    await embedded.close()
  }
}

async function compare(
  embedded: Dataset,
  served: Dataset,
  cluster: PostgresCluster,
  isSmoke: boolean,
): Promise<Row[]> {
  const { file, database } = await runInterleaved(
    {
      file: { ...embedded.installation, requests: hourlyReadRequests(embedded, embedded.from) },
      database: {
        ...served.installation,
        backendPid: cluster.pid(),
        requests: hourlyReadRequests(served, served.from),
      },
    },
    roundsFor(isSmoke),
  )
  const ofServer = toRatio(database.perCpuSecond, file.perCpuSecond)
  const ofAll = toRatio(database.perCpuSecondOfAll, file.perCpuSecondOfAll)
  const microseconds = Math.round(1e6 / median(database.perCpuSecondOfAll))
  return [
    {
      label: `reads among ${millions(served)} readings, over the embedded store`,
      value: formatRatio(ofServer),
      ...atLeast(0.75, ofServer.value),
      detail: `PostgreSQL ${formatMeasurement(database)}; embedded ${formatMeasurement(file)}`,
    },
    {
      label: 'the same, PostgreSQL’s processor time included',
      value: formatRatio(ofAll),
      detail: `${microseconds} µs of CPU each in all`,
    },
  ]
}

const COMPARED = 20

/** Responses must be identical byte for byte, otherwise the servers do not do the same work. */
async function answerAlike(one: Dataset, other: Dataset): Promise<void> {
  const [own, theirs] = [one, other].map((year) => hourlyReadRequests(year, year.from, COMPARED))
  for (const [index, request] of (own ?? []).entries()) {
    const same = theirs?.[index]
    if (!same || (await send(one.installation.url, request)) !== (await send(other.installation.url, same)))
      throw new Error(`${request.path} is answered differently`)
  }
}
