import type { Database, Sql } from '../pool/connect.ts'
import { getErrorCode, isLockedOut, isTaken } from '../pool/failure.ts'

/** A table with the readings of one month, or of all time before `MONTHS_FROM`. */
interface Partition {
  name: string
  /** Undefined: unbounded. */
  from: number | undefined
  to: number
}

/** Clocks that were never set report 1970 or 1980: one partition holds these readings, instead of hundreds. */
const MONTHS_FROM = Date.UTC(2000, 0)
const OLD: Partition = { name: 'readings_old', from: undefined, to: MONTHS_FROM }
const MAX_ATTEMPTS = 5
/** Short, because readers queue behind a DROP that waits for its lock. */
const LOCK_WAIT = '200ms'

export interface Partitions {
  /** Creates the missing partitions for readings of these instants. */
  prepare(instants: readonly number[]): Promise<void>
  /** Resets the cache after a write found no partition: another instance has dropped it. */
  forget(): void
  /** Drops partitions that no site retains; a locked one is tried again later. */
  dropOld(): Promise<void>
}

export function createPartitions(db: Database): Partitions {
  let known = new Set<string>()

  const list = (): Promise<string[]> =>
    db.read(async (sql) => {
      const rows = await sql<{ name: string }[]>`
        SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'readings'::regclass`
      return rows.map(({ name }) => name)
    })

  const make = async (partition: Partition): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      known = new Set(await list())
      if (known.has(partition.name)) return
      try {
        await db.write((sql) => attach(sql, partition))
      } catch (error) {
        // Another instance is creating the same partition: the next attempt finds it.
        if (attempt === MAX_ATTEMPTS || !isMadeByAnother(error)) throw error
      }
    }
  }

  return {
    async prepare(instants) {
      let last: Partition | undefined
      for (const at of instants) {
        if (last && at < last.to && at >= (last.from ?? at)) continue
        last = toPartition(at)
        if (!known.has(last.name)) await make(last)
      }
    },
    forget: () => known.clear(),
    async dropOld() {
      for (const name of await list()) {
        const end = parsePartitionEnd(name)
        if (end === undefined) continue
        await db
          .write((sql) => dropIfOld(sql, name, end))
          .catch((error: unknown) => {
            if (!isLockedOut(error)) throw error
          })
      }
    },
  }
}

/** Also if it is attached already (SQLSTATE 42809). */
const isMadeByAnother = (error: unknown): boolean => isTaken(error) || getErrorCode(error) === '42809'

/** ATTACH does not block reads and writes of the parent table; CREATE … PARTITION OF does. */
async function attach(sql: Sql, { name, from, to }: Partition): Promise<void> {
  await sql`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`
  await sql`CREATE TABLE ${sql(name)} (LIKE readings INCLUDING ALL)`
  await sql.unsafe(
    `ALTER TABLE readings ATTACH PARTITION ${name} FOR VALUES FROM (${from ?? 'MINVALUE'}) TO (${to})`,
  )
}

async function dropIfOld(sql: Sql, name: string, end: number): Promise<void> {
  const isRetained = async (): Promise<boolean> => {
    const [row] = await sql<
      { kept: number | null }[]
    >`SELECT min(retention_watermark) AS kept FROM site_state /* every site */`
    return (row?.kept ?? 0) < end
  }
  await sql`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`
  if (await isRetained()) return
  await sql.unsafe(`SET LOCAL lock_timeout TO '${LOCK_WAIT}'`)
  await sql`LOCK TABLE ONLY readings IN ACCESS EXCLUSIVE MODE`
  // A new site may have written into it meanwhile.
  if (!(await isRetained())) await sql`DROP TABLE IF EXISTS ${sql(name)}`
}

function toPartition(at: number): Partition {
  if (at < MONTHS_FROM) return OLD
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { name: toPartitionName(at), from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
}

const toPartitionName = (at: number): string =>
  `readings_${new Date(at).toISOString().slice(0, 7).replace('-', '_')}`

const MONTH_NAME = /^readings_(\d{4})_(\d{2})$/

function parsePartitionEnd(name: string): number | undefined {
  if (name === OLD.name) return OLD.to
  const [, year, month] = MONTH_NAME.exec(name) ?? []
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month))
}
