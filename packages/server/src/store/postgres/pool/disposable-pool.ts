import postgres from 'postgres'
import { ARRAY_TYPES } from './array-types.ts'
import { connectionLost } from './failure.ts'

/** A connection or an open transaction, as a tag for queries. */
export type Sql = postgres.ISql<{ bigint: number }>

export interface PoolOptions {
  /** Called with every statement that is sent. */
  onStatement?: (text: string, parameters: readonly unknown[]) => void
}

/**
 * A connection pool that is discarded as soon as one of its connections drops. postgres.js would reconnect, but in
 * 3.4.9 a write queued behind a lost connection ends the process, a connection lost at the wrong moment never comes
 * back, and the rest of a transaction can run in the next one.
 */
export interface DisposablePool {
  /** Throws once the pool is discarded. */
  sql: Sql
  isDiscarded(): boolean
  /** Discards the pool before it detects the loss itself. */
  discard(): void
  /** Closes the pool; running queries get this long to finish. */
  end(seconds: number): Promise<void>
}

const CONNECT_SECONDS = 5
const STATEMENT_MS = 15_000

/** Options in the URL's query take precedence, such as `connect_timeout`; `prepare=false` is for transaction poolers. */
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
    connect_timeout: Number(new URL(url).searchParams.get('connect_timeout') ?? CONNECT_SECONDS),
    connection: { application_name: 'portico', statement_timeout: STATEMENT_MS },
    // Milliseconds and series ids are far below 2^53.
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
      if (isLost) throw connectionLost()
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
