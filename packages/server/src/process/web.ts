import { once } from 'node:events'
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

export function createWeb({ host, tls, trustProxy, connectionsPerAddress }: Config, services: Services): Web {
  const { server } = buildApp(services, { tls: tls && readTls(tls), trustProxy, connectionsPerAddress })
  const stopWatching = tls ? watchTls(tls, server, services.log) : () => {}
  return {
    async listen(port, { isShared } = { isShared: false }) {
      server.listen({ host, port, reusePort: isShared && CAN_REUSE_PORT })
      await once(server, 'listening')
    },
    async close() {
      stopWatching()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}
