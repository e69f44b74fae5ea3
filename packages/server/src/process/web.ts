import type { Config } from '../config/config.ts'
import { buildApp } from '../http/app.ts'
import type { Services } from '../http/services.ts'
import { readTls, watchTls } from './tls.ts'

/**
 * With SO_REUSEPORT, the kernel gives each worker its own accept queue, and a killed worker loses only its own
 * connections. Elsewhere the primary accepts connections and passes them on; those in transit to a killed worker hang
 * until the client times out.
 */
const CAN_REUSE_PORT = process.platform === 'linux'

/** The HTTP side of a process. */
export interface Web {
  /** `isShared`: with other processes of this server. */
  listen(port: number, options?: { isShared: boolean }): Promise<void>
  /** Accepts no more connections, and lets requests in progress finish. */
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
      // Fastify's own log line would say http even with TLS.
      const options = { host, port, reusePort, listenTextResolver: () => 'listening' }
      await app.listen(options)
    },
    async close() {
      stopWatching()
      await app.close()
    },
  }
}
