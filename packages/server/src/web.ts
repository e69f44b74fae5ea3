import type { Config } from './config/config.ts'
import { buildApp } from './http/app.ts'
import type { Services } from './http/services.ts'
import { readTls, watchTls } from './tls.ts'

/** The HTTP side of a process. */
export interface Web {
  listen(port: number): Promise<void>
  /** Takes no more connections, and lets requests under way come to their end. */
  close(): Promise<void>
}

export async function createWeb({ host, tls, trustProxy }: Config, services: Services): Promise<Web> {
  const { app } = await buildApp(services, { tls: tls && readTls(tls), trustProxy })
  const stopWatching = tls ? watchTls(tls, app.server, services.log) : () => {}
  return {
    async listen(port) {
      // Fastify's own line would say http where TLS is on.
      await app.listen({ host, port, listenTextResolver: () => 'listening' })
    },
    async close() {
      stopWatching()
      await app.close()
    },
  }
}
