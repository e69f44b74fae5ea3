import type { PostgresCluster } from '../../acceptance/support/postgres.ts'
import { atLeast, type Row } from '../benchmark.ts'
import { hourlyReads, millions } from '../support/questions.ts'
import { inRounds, median, ratioOf, roundsFor } from '../support/rounds.ts'
import { send } from '../support/send.ts'
import { load, shown } from '../support/show.ts'
import { makeYear, type Year } from '../support/year.ts'
import { connected, makeDatabase } from './database.ts'

/** Reads from a server on PostgreSQL, over those from one on the embedded store. */
export async function overEmbedded(cluster: PostgresCluster, isSmoke: boolean): Promise<Row[]> {
  const size = isSmoke ? { rooms: 4, days: 10 } : { rooms: 100, days: 60 }
  const database = await makeDatabase(cluster, 'year')
  const embedded = await makeYear(size)
  try {
    const served = await makeYear({ ...size, database, like: embedded })
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
  embedded: Year,
  served: Year,
  cluster: PostgresCluster,
  isSmoke: boolean,
): Promise<Row[]> {
  const { file, database } = await inRounds(
    {
      file: { ...embedded.installation, requests: hourlyReads(embedded, embedded.from) },
      database: {
        ...served.installation,
        behindPid: cluster.pid(),
        requests: hourlyReads(served, served.from),
      },
    },
    roundsFor(isSmoke),
  )
  const ofServer = ratioOf(database.perCpuSecond, file.perCpuSecond)
  const ofAll = ratioOf(database.perCpuSecondOfAll, file.perCpuSecondOfAll)
  const microseconds = Math.round(1e6 / median(database.perCpuSecondOfAll))
  return [
    {
      what: `reads among ${millions(served)} readings, over the embedded store`,
      figure: shown(ofServer),
      ...atLeast(0.45, ofServer.value),
      detail: `PostgreSQL ${load(database)}; embedded ${load(file)}`,
    },
    {
      what: 'the same, PostgreSQL’s processor time included',
      figure: shown(ofAll),
      detail: `${microseconds} µs of CPU each in all`,
    },
  ]
}

const COMPARED = 20

/** To the byte, or they do not do the same work. */
async function answerAlike(one: Year, other: Year): Promise<void> {
  const [own, theirs] = [one, other].map((year) => hourlyReads(year, year.from, COMPARED))
  for (const [index, asked] of (own ?? []).entries()) {
    const same = theirs?.[index]
    if (!same || (await send(one.installation.url, asked)) !== (await send(other.installation.url, same)))
      throw new Error(`${asked.path} is answered differently`)
  }
}
