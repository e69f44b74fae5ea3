import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { findFreePort } from '../../support/servers/free-port.ts'

/** A TCP proxy to a database that a test can break. */
export interface BreakableProxy {
  /** The database's URL through the proxy. */
  url: string
  /** Closes every connection, and each new one immediately. */
  cut(): void
  /** Accepts connections and discards what they send, without a response. */
  silence(): void
  open(): void
  close(): void
}

export async function startBreakableProxy(database: string): Promise<BreakableProxy> {
  const { port, hostname } = new URL(database)
  const sockets = new Set<Socket>()
  let state: 'open' | 'silent' | 'cut' = 'open'

  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => state === 'open' && to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        if (state !== 'silent') to.destroy()
      })
    }
  })
  const own = await findFreePort()
  server.listen(own, '127.0.0.1')
  await once(server, 'listening')
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: Object.assign(new URL(database), { port: String(own) }).href,
    cut() {
      state = 'cut'
      end()
    },
    silence() {
      state = 'silent'
    },
    open() {
      state = 'open'
    },
    close() {
      server.close()
      end()
    },
  }
}
