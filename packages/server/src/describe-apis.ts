import type { Config } from './config/config.ts'
import { createServices } from './create-services.ts'
import { buildApp } from './http/app.ts'
import { createLog } from './lib/log.ts'
import { openStore } from './store/open.ts'

/** The OpenAPI document of every surface, by name, without a server or a store. */
export async function describeApis(config: Config): Promise<Map<string, object>> {
  const { services } = createServices(config, config.port, openStore(config), createLog('silent'))
  const { app, surfaces } = await buildApp(services, {
    tls: undefined,
    trustProxy: false,
    connectionsPerAddress: 1,
  })
  await app.ready()
  const documents = new Map([...surfaces].map(([name, surface]) => [name, surface.swagger()]))
  await app.close()
  return documents
}
