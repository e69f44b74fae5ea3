import { openLogOutput } from '../log-output.ts'
import { createServices } from '../services.ts'
import { PREPARING, STOPPING } from '../../kernel/health.ts'
import { createLog } from '../../kernel/log.ts'
import { createMetrics } from '../../kernel/metrics.ts'
import { reportDamage } from '../report-store.ts'
import { openStoreInWorker } from '../../store/open-in-worker.ts'
import type { ForwardWrite } from '../../store/open.ts'
import { tuneProcess } from '../tune-process.ts'
import { createWeb } from '../web.ts'
import type { PrimaryApi, WorkerApi, WorkerOptions } from './ipc-api.ts'
import { createIpc } from '../../kernel/ipc.ts'

tuneProcess()

/**
 * Entry point of a worker: it serves requests and reads the store itself. The primary does the work that only one
 * process may do.
 */
const api: Partial<WorkerApi> = {
  async start(start) {
    const { calls, listen } = await createWorker(start)
    Object.assign(api, calls)
    // The primary may also call `open` from here on; whichever comes first opens the worker.
    if (await primary.call('isPrepared')) await calls.open()
    await listen()
  },
}

const primary = createIpc<PrimaryApi>(
  {
    send: (messages) => void process.send?.(messages, undefined, {}, () => {}),
    onMessage: (listener) => void process.on('message', listener),
  },
  api,
)

// A worker cannot run without the primary, which does all writes.
process.on('disconnect', () => process.exit(0))
// A terminal or supervisor sends these to the whole process group; the primary decides when to stop.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {})

interface CreatedWorker {
  calls: Omit<WorkerApi, 'start'>
  listen(): Promise<void>
}

async function createWorker({ config, number, ports }: WorkerOptions): Promise<CreatedWorker> {
  const log = createLog(config.logLevel, { worker: number, destination: openLogOutput(config) })
  const forwardWrite: ForwardWrite = (work) => primary.call('write', work)
  const store = await openStoreInWorker(config, forwardWrite)
  const metrics = createMetrics()
  reportDamage(store, metrics, log)
  const { services, prepare, forget, threads } = createServices(config, ports, store, log, {
    limits: {
      consume: (use) => primary.call('consumeLimit', use),
      refund: (use, refundLimit) => primary.call('refundLimit', use, refundLimit),
    },
    metrics,
    forwardWrite,
    worker: number,
    onCommand: () => void primary.call('notify'),
    onEvents: () => void primary.call('notifyOfEvents'),
    others: {
      invalidate: () => primary.call('invalidateSiblings'),
      flushUsage: () => primary.call('flushSiblingUsage'),
      whyNotReady: () => primary.call('whyNotReady'),
      countReadings: () => primary.call('countReadings'),
    },
  })
  services.sandbox.setSimulator({
    async simulate(siteUuid, deviceUuid, simulation) {
      await primary.call('simulate', siteUuid, deviceUuid, simulation)
      return true
    },
  })
  const web = createWeb(config, services)
  services.health.waitFor(PREPARING)
  return {
    listen: () => web.listen(ports.http, { isShared: true }),
    calls: {
      async open() {
        try {
          await prepare()
        } catch (err) {
          log.fatal({ err }, 'a worker cannot read the store')
          process.exit(1)
        }
        services.health.done(PREPARING)
      },
      forget,
      flushUsage: () => services.v1Usage.flush(),
      collectMetrics: metrics.toJson,
      countReadings: metrics.countReadings,
      async stop() {
        services.health.waitFor(STOPPING)
        await web.close()
        await threads.close()
        await services.v1Usage.close()
        await services.lastUse.close()
        await store.close()
      },
    },
  }
}
