import { createSiteDirectory } from '@portico/server/domain/estate/inventory/site-directory'
import { openStore } from '@portico/server/store/open'
import { createIpc } from '@portico/server/kernel/ipc'
import { buildModel, demoHistory, demoInventories } from '../content/index.ts'
import type { HistoryApi, ServerApi } from './calls.ts'
import { storeHistory } from './store-history.ts'

/**
 * Entry point of the history process, which generates the demo's readings: it, not the server, has the model of the
 * sites in memory.
 */
const { main, other } = demoInventories()
const getSite = (siteUuid: string) => (siteUuid === main.site.siteUuid ? main : other)

const ours: HistoryApi = {
  async store(config, missing) {
    const store = openStore(config)
    const stores = { siteDirectory: createSiteDirectory(store.inventory), readings: store.readings }
    for (const { siteUuid, span } of missing)
      await storeHistory(stores, getSite(siteUuid), span, (...done) => void server.call('progress', ...done))
    await store.close()
  },
  readings: (siteUuid, span) => [...demoHistory(getSite(siteUuid), span)],
}

const server = createIpc<ServerApi>(
  {
    send: (messages) => void process.send?.(messages, undefined, {}, () => {}),
    onMessage: (listener) => void process.on('message', listener),
  },
  ours,
)

process.on('disconnect', () => process.exit(0))
// A terminal or supervisor sends these to the whole process group; the server decides when to stop.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {})

const [modelsTo] = process.argv.slice(2)
if (modelsTo !== undefined) for (const site of [main, other]) buildModel(site, Number(modelsTo))
