import { type Background, startBackground } from './background.ts'
import type { Config } from '../config/config.ts'
import { createLimits } from './rate-limits.ts'
import { singleProcess, createServices } from './services.ts'
import { PREPARING, STOPPING } from '../kernel/health.ts'
import type { Services } from '../http/services.ts'
import type { Log } from '../kernel/log.ts'
import { createMetrics } from '../kernel/metrics.ts'
import type { Ports } from './ports.ts'
import { reportDamage, reportMaintenance, reportMigrations } from './report-store.ts'
import type { ForwardWrite } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { requireCompleteCopy } from '../store/transfer.ts'
import { createStoreFigures } from './store-figures.ts'
import { createWeb } from './web.ts'

/** A running server with all its parts. */
export interface Runtime {
  services: Services
  /** The metrics of all processes of this server in the Prometheus text format. */
  metricsText(): Promise<string>
  /** Starts accepting requests; they get 503 until the store is prepared. */
  listen(): Promise<void>
  /** Migrates and prepares the store, then runs `last`; the server is ready afterwards. */
  prepare(last: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** The composition root of a single-process server. */
export async function createRuntime(
  config: Config,
  ports: Ports,
  { store, forwardWrite }: { store: Store; forwardWrite: ForwardWrite },
  log: Log,
): Promise<Runtime> {
  let background: Background | undefined
  const metrics = createMetrics()
  reportDamage(store, metrics, log)
  reportMaintenance(store, metrics, log)
  const { limits, closeLimits } = await createLimits(config, store, metrics, log)
  const {
    services,
    prepare,
    threads,
    store: observed,
  } = createServices(config, ports, store, log, {
    ...singleProcess(metrics),
    limits,
    forwardWrite,
    onCommand: () => background?.notify(),
    onEvents: () => background?.notifyOfEvents(),
  })
  metrics.addStore(createStoreFigures(store, services))
  const web = createWeb(config, services)
  services.health.waitFor(PREPARING)

  return {
    services,
    metricsText: metrics.toText,
    listen: () => web.listen(ports.http),
    async prepare(last) {
      reportMigrations(await store.migrate(), log)
      await requireCompleteCopy(store.transfer)
      const installationKey = await prepare()
      await last()
      background = await startBackground(
        config,
        { ports, installationKey, ingest: threads.messages },
        observed,
        services,
      )
      await store.startServing()
      services.health.done(PREPARING)
    },
    async close() {
      services.health.waitFor(STOPPING)
      await web.close()
      await background?.close()
      await threads.close()
      await closeLimits()
      await services.v1Usage.close()
      await services.lastUse.close()
      await store.close()
    },
  }
}
