import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { unavailable } from '../../errors.ts'
import { systemClock } from '../../lib/clock.ts'
import { createTurns } from '../../lib/turns.ts'
import { isWorthRepeating, toAppFailure } from './failure.ts'

/** A connection or an open transaction: what a query is written with. */
export type Sql = postgres.ISql<{ bigint: number }>
type Pool = postgres.Sql<{ bigint: number }>

export interface WriteOptions {
  /** How long the whole transaction may take. */
  withinMs?: number
  /** Two may have made the same thing at once: who came second finds it there when repeating. */
  repeatsTaken?: boolean
}

export interface Database {
  /** One statement, or several that need not see the same moment. */
  read<T>(ask: (sql: Sql) => Promise<T>): Promise<T>
  /** One statement that changes something: a transaction of its own. */
  change<T>(run: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>
  /** One transaction. It may have to be repeated, so nothing but the transaction may remember an attempt. */
  write<T>(run: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>
  close(): Promise<void>
}

/** Hears the text of every statement that is sent. */
export type StatementListener = (text: string) => void

const CONNECTIONS = 10
/** Transactions leave so many connections to the reads, which are sent without waiting for one another's answers. */
const FOR_READS = 2
const CONNECT_SECONDS = 5
/** The library's own waits grow to 20 seconds, in which nobody would be told anything. */
const RECONNECT_SECONDS = 0.5
const STATEMENT_MS = 15_000
/** The database ends a statement itself; this is for one that cannot be reached any more. */
const ANSWER_MS = 20_000
const WAIT_FOR_TURN_MS = 10_000
const CLOSE_SECONDS = 5
const MAX_ATTEMPTS = 8
const REPEAT_MS = 20

/** Nothing is connected before the first query. */
export function openDatabase(url: string, onStatement?: StatementListener): Database {
  const turns = createTurns(CONNECTIONS - FOR_READS)
  let pool: Pool | undefined
  let isClosed = false

  const connected = (): Pool => {
    if (isClosed) throw unavailable('The store is closed.')
    return (pool ??= connect(url, onStatement))
  }

  /** Connections to a database that fell silent are given up; the next query makes new ones. */
  async function answered<T>(asked: Pool, answer: Promise<T>, withinMs: number): Promise<T> {
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      if (pool === asked) pool = undefined
      void asked.end({ timeout: 0 })
      reject(unavailable('The database does not answer.'))
    }, withinMs)
    try {
      return await Promise.race([answer, silence])
    } finally {
      clearTimeout(timer)
    }
  }

  async function repeated<T>(
    attempt: (asked: Pool) => Promise<T>,
    { withinMs = ANSWER_MS, repeatsTaken = false }: WriteOptions = {},
  ): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        const asked = connected()
        return await answered(asked, attempt(asked), withinMs)
      } catch (error) {
        if (attempts === MAX_ATTEMPTS || !isWorthRepeating(error, repeatsTaken)) throw toAppFailure(error)
        await delay(attempts * REPEAT_MS)
      }
    }
  }

  return {
    read: (ask) => repeated(ask),
    change: (run, options) => repeated(run, options),
    async write(run, options) {
      const since = systemClock.now()
      return turns(async () => {
        if (systemClock.now() - since > WAIT_FOR_TURN_MS)
          throw unavailable('Every connection to the database was taken for too long.')
        // The library's type would unwrap an array of promises, which `run` never answers with.
        return repeated((asked) => asked.begin(run) as ReturnType<typeof run>, options)
      })
    },
    async close() {
      isClosed = true
      await pool?.end({ timeout: CLOSE_SECONDS })
    },
  }
}

/** What the address says in its query wins: `?prepare=false` is for poolers that give each transaction another connection. */
const OPTIONS = {
  connect_timeout: CONNECT_SECONDS,
  backoff: () => RECONNECT_SECONDS,
  connection: { application_name: 'portico', statement_timeout: STATEMENT_MS },
  // Milliseconds and numbers of series are far below 2^53.
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  onnotice: () => {},
}

const connect = (url: string, onStatement: StatementListener | undefined): Pool =>
  postgres(url, {
    ...OPTIONS,
    max: CONNECTIONS,
    ...(onStatement ? { debug: (_connection: number, text: string) => onStatement(text) } : {}),
  })

/** One connection that stays. */
export const connectOnce = (url: string): Pool => postgres(url, { ...OPTIONS, max: 1, max_lifetime: null })
