import postgres from 'postgres'
import { unavailable } from '../../../kernel/errors.ts'
import { ARRAY_TYPES } from './array-types.ts'

/** A connection or an open transaction: what a query is written with. */
export type Sql = postgres.ISql<{ bigint: number }>

export interface PoolOptions {
  /** Hears every statement that is sent. */
  onStatement?: (text: string, parameters: readonly unknown[]) => void
}

/**
 * One or more connections that are used until the first of them ends, and then never again. The library would connect anew by
 * itself, but as of 3.4.9 a write behind a lost connection ends the process, a connection lost at the wrong moment never comes
 * back, and what is left of a transaction can run in the next one.
 */
export interface DisposablePool {
  /** Throws once the line is lost. */
  sql: Sql
  isDiscarded(): boolean
  /** Somebody heard of its end before it did. */
  discard(): void
  /** Lets what is under way finish for so long. */
  end(seconds: number): Promise<void>
}

const CONNECT_SECONDS = 5
const STATEMENT_MS = 15_000

/** What the address says in its query wins: `?prepare=false` is for poolers that give each transaction another connection. */
export function openDisposablePool(
  url: string,
  connections: number,
  { onStatement }: PoolOptions = {},
): DisposablePool {
  let isLost = false
  const discard = (): void => {
    isLost = true
  }
  const client = postgres(url, {
    max: connections,
    max_lifetime: null,
    connect_timeout: CONNECT_SECONDS,
    connection: { application_name: 'portico', statement_timeout: STATEMENT_MS },
    // Milliseconds and numbers of series are far below 2^53.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String }, ...ARRAY_TYPES },
    fetch_types: false,
    onnotice: () => {},
    onclose: discard,
    ...(onStatement && {
      debug: (_connection: number, text: string, parameters: unknown[]) => onStatement(text, parameters),
    }),
  })
  return {
    sql: guarded(client, () => {
      if (isLost) throw unavailable('The connection to the database was lost.')
    }),
    isDiscarded: () => isLost,
    discard,
    async end(seconds) {
      discard()
      await client.end({ timeout: seconds })
    },
  }
}

const guarded = (client: Sql, check: () => void): Sql =>
  new Proxy(client, {
    apply(target, self, values: unknown[]): unknown {
      check()
      return Reflect.apply(target, self, values)
    },
    get(target, name): unknown {
      check()
      return Reflect.get(target, name)
    },
  })
