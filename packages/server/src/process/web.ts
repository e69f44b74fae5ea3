import type { Config } from '../config/config.ts'
import { buildApp } from '../http/app.ts'
import type { Services } from '../http/services.ts'
import { readTls, watchTls } from './tls.ts'

/**
 * Each worker then has a queue of its own, filled by the kernel, and one that is killed takes down its own connections
 * alone. Elsewhere the first process accepts and hands connections over; what it was handing to a worker that is killed
 * hangs until the caller gives up.
 */
const CAN_REUSE_PORT = process.platform === 'linux'

/** The HTTP side of a process. */
export interface Web {
  /** `isShared`: with other processes of the same server. */
  listen(port: number, options?: { isShared: boolean }): Promise<void>
  /** Takes no more connections, and lets requests under way come to their end. */
  close(): Promise<void>
}

export async function createWeb(
  { host, tls, trustProxy, connectionsPerAddress }: Config,
  services: Services,
): Promise<Web> {
  const app = await buildApp(services, { tls: tls && readTls(tls), trustProxy, connectionsPerAddress })
  const stopWatching = tls ? watchTls(tls, app.server, services.log) : () => {}
  return {
    async listen(port, { isShared } = { isShared: false }) {
      const reusePort = isShared && CAN_REUSE_PORT
      // Fastify's own line would say http where TLS is on.
      const options = { host, port, reusePort, listenTextResolver: () => 'listening' }
      await app.listen(options)
    },
    async close() {
      stopWatching()
      await app.close()
    },
  }
}
