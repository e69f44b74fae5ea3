import { Portico, type PorticoOptions } from '../../packages/sdk/src/index.ts'
import type { DemoEnv } from '../support/servers/demo-env.ts'

/** A client of the demo partner. `origin` replaces that of the server, for a proxy. */
export function demoClient(env: DemoEnv, options: PorticoOptions = {}, origin?: string): Portico {
  const through = (url: string): string => (origin === undefined ? url : `${origin}${new URL(url).pathname}`)
  return new Portico({
    baseUrl: through(env.PORTICO_BASE_URL),
    authUrl: through(env.PORTICO_AUTH_URL),
    clientId: env.PORTICO_CLIENT_ID,
    clientSecret: env.PORTICO_CLIENT_SECRET,
    siteId: env.PORTICO_SITE_ID,
    ...options,
  })
}
