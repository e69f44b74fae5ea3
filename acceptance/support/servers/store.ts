import type { Installation } from './installation.ts'
import { makeOperatorDir } from './operator-dir.ts'
import { removeDataDir, startPortico } from './portico.ts'
import { tokenFor } from '../clients/requests.ts'

/** A data folder that outlives its servers, which are started on it one after another, always at the same address. */
export interface Store {
  dataDir: string
  /** Starts a server and returns it with an operator's token. Stopping it keeps the folder. */
  start(options?: { env?: Record<string, string>; dataDir?: string; mqttUrl?: string }): Promise<Installation>
  remove(): Promise<void>
}

/** A store with an operator only. */
export async function makeStore(): Promise<Store> {
  const { dataDir, clientId, clientSecret } = await makeOperatorDir()
  let port: number | undefined
  return {
    dataDir,
    start: async (options = {}) => {
      const portico = await startPortico({
        demo: false,
        dataDir: options.dataDir ?? dataDir,
        env: { RATE_LIMIT: 'off', LOG_LEVEL: 'error', ...options.env },
        ...(options.mqttUrl === undefined ? {} : { mqttUrl: options.mqttUrl }),
        ...(port === undefined ? {} : { port }),
      })
      port = portico.port
      return {
        portico,
        operator: await tokenFor(portico, clientId, clientSecret),
        stop: async () => {
          await portico.stop()
        },
      }
    },
    remove: () => removeDataDir(dataDir),
  }
}
