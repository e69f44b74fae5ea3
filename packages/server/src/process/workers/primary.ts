import { type Background, startBackground } from '../background.ts'
import type { Config } from '../../config/config.ts'
import { createLimits } from '../rate-limits.ts'
import { singleProcess, createServices } from '../services.ts'
import { PREPARING, STOPPING } from '../../kernel/health.ts'
import type { Log } from '../../kernel/log.ts'
import { createMetrics } from '../../kernel/metrics.ts'
import type { Ports } from '../ports.ts'
import type { Runtime } from '../runtime.ts'
import type { ForwardWrite } from '../../store/open.ts'
import { reportDamage, reportMaintenance, reportMigrations } from '../report-store.ts'
import type { Store } from '../../store/store.ts'
import { requireCompleteCopy } from '../../store/transfer.ts'
import { createStoreFigures } from '../store-figures.ts'
import { readTls } from '../tls.ts'
import { createMetricsAggregator } from './sum-metrics.ts'
import type { PrimaryApi } from './ipc-api.ts'
import { createWorkerPool } from './worker-pool.ts'

/**
 * The composition root of a server with workers: they serve requests, and this process does the work that only one
 * process may do.
 */
export async function createPrimary(
  config: Config,
  ports: Ports,
  { store, forwardWrite }: { store: Store; forwardWrite: ForwardWrite },
  log: Log,
): Promise<Runtime> {
  // Each worker reads the files itself; checked here so that invalid files fail the start with one line.
  if (config.tls) readTls(config.tls)
  let background: Background | undefined
  let isPrepared = false
  const metrics = createMetrics()
  reportDamage(store, metrics, log)
  reportMaintenance(store, metrics, log)
  const figures = createMetricsAggregator()
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
    onEvents: () => background?.notifyOfEvents(),
  })
  metrics.addStore(createStoreFigures(store, services))
  services.health.waitFor(PREPARING)

  const callsFor = (caller: number): PrimaryApi => ({
    isPrepared: () => isPrepared,
    write: forwardWrite,
    consumeLimit: limits.consume,
    refundLimit: limits.refund,
    notify: () => background?.notify(),
    notifyOfEvents: () => background?.notifyOfEvents(),
    simulate: services.sandbox.simulate,
    async invalidateSiblings() {
      await pool.callAll(async (worker, number) => {
        if (number !== caller) await worker.call('forget')
      })
    },
    async flushSiblingUsage() {
      await pool.callAll(async (worker, number) => {
        if (number !== caller) await worker.call('flushUsage')
      })
    },
    whyNotReady: services.whyNotReady,
    async countReadings() {
      let sum = await metrics.countReadings()
      await pool.callAll(async (worker) => {
        sum += await worker.call('countReadings')
      })
      return sum
    },
  })

  const pool = createWorkerPool({
    size: config.workers,
    createOptions: (number) => ({ number, config, ports }),
    callsFor,
    onEnd: (number) => figures.retain(number),
    log,
  })

  return {
    services,
    async metricsText() {
      await pool.callAll(async (worker, number) =>
        figures.update(number, await worker.call('collectMetrics')),
      )
      return figures.text(await metrics.toJson())
    },
    listen: () => pool.start(),
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
      isPrepared = true
      await pool.callAll((worker) => worker.call('open'))
      await store.startServing()
      services.health.done(PREPARING)
    },
    async close() {
      services.health.waitFor(STOPPING)
      await pool.stop()
      await background?.close()
      await threads.close()
      await closeLimits()
      await store.close()
    },
  }
}
