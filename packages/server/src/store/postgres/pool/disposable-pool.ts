import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
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
  /** Runs statements, which `end` waits for. */
  run<T>(ask: () => Promise<T>): Promise<T>
  isDiscarded(): boolean
  /** Discards the pool before it detects the loss itself. */
  discard(): void
  /** Closes every connection; running statements get this long to finish. */
  end(seconds: number): Promise<void>
}

/** Where postgres.js would connect to. */
interface Address {
  path: string | false
  host: string[]
  port: number[]
}

const CONNECT_SECONDS = 5
const RECONNECT_SECONDS = 0.1
const STATEMENT_MS = 15_000

/** Options in the URL's query take precedence, such as `connect_timeout`; `prepare=false` is for transaction poolers. */
export function openDisposablePool(
  url: string,
  connections: number,
  { onStatement }: PoolOptions = {},
): DisposablePool {
  let isLost = false
  let isEnded = false
  let running = 0
  const lastFinished = Promise.withResolvers<void>()
  const sockets: net.Socket[] = []

  const discard = (): void => {
    isLost = true
    if (running === 0) lastFinished.resolve()
  }

  /** postgres.js reconnects for statements in its queue, also after its `end`; nothing would close that connection. */
  function openSocket({ path, host, port }: Address): net.Socket {
    if (isEnded) throw connectionLost()
    const index = sockets.length % host.length
    const socket = path ? net.connect(path) : net.connect(port[index]!, host[index])
    sockets.push(socket)
    // postgres.js checks the certificate against this name.
    return Object.assign(socket, { host: host[index] })
  }

  const options = {
    max: connections,
    max_lifetime: null,
    connect_timeout: Number(new URL(url).searchParams.get('connect_timeout') ?? CONNECT_SECONDS),
    connection: { application_name: 'portico', statement_timeout: STATEMENT_MS },
    // Milliseconds and series ids are far below 2^53.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String }, ...ARRAY_TYPES },
    fetch_types: false,
    onnotice: () => {},
    onclose: discard,
    // Applies to statements that are in the queue when the pool is discarded.
    backoff: () => RECONNECT_SECONDS,
    ...(onStatement && {
      debug: (_connection: number, text: string, parameters: unknown[]) => onStatement(text, parameters),
    }),
    // Not in the types of postgres.js.
    socket: openSocket,
  }
  const client = postgres(url, options)
  return {
    sql: guarded(client, () => {
      if (isLost) throw connectionLost()
    }),
    async run(ask) {
      running += 1
      try {
        return await ask()
      } finally {
        running -= 1
        if (isLost && running === 0) lastFinished.resolve()
      }
    },
    isDiscarded: () => isLost,
    discard,
    async end(seconds) {
      discard()
      await Promise.race([lastFinished.promise, delay(seconds * 1000, undefined, { ref: false })])
      await client.end({ timeout: 0 })
      isEnded = true
      for (const socket of sockets) socket.destroy()
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
