import type { Config } from '../config/config.ts'
import { choosePorts } from './choose-ports.ts'
import type { Demo, PreparedDemo } from './demo.ts'
import { collectGarbage } from '../kernel/collect-garbage.ts'
import { createLog, type Log } from '../kernel/log.ts'
import { waitForStopSignals } from '../kernel/stop-signals.ts'
import { type MetricsServer, startMetricsServer } from './metrics-server.ts'
import { lockStore } from './lock-store.ts'
import { openLogOutput } from './log-output.ts'
import { describeReady } from './ready-block.ts'
import { prepareUnderLease, showProgress, simulateDemo } from './run-demo.ts'
import type { Ports } from './ports.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import { listen, toStartError } from './start-error.ts'
import { createStartupProgress } from './startup-progress.ts'
import { openStoreForServer } from '../store/open.ts'
import { START_LOCK_WAIT_MS } from '../store/sqlite/write-lock.ts'
import { getSharedState, type Store } from '../store/store.ts'
import { createPrimary } from './workers/primary.ts'

const DRAIN_MS = 15_000

/** Runs the server until it receives a signal; returns the exit code. The demo is used if it is configured. */
export async function serve(config: Config, print: (text: string) => void, demo?: Demo): Promise<number> {
  const log = createLog(config.logLevel, { destination: openLogOutput(config) })
  const showStep = createStartupProgress(print)
  showStep('opening the store')
  if (config.trustProxy === true)
    log.warn(
      'TRUST_PROXY=on trusts every X-Forwarded-For header, even one forged by a client; set the number of proxies or their addresses instead',
    )
  const lock = await lockStore(config)
  const opened = openForServing(config, log, print)
  const { store } = opened
  try {
    return await run(config, opened, log, { print, showStep }, config.demo ? demo : undefined)
  } finally {
    await store.close()
    await lock.release()
  }
}

interface OpenedForServing {
  store: Store
  createRuntimeOn(ports: Ports): Promise<Runtime>
}

/** Opens a store for a server with one process, or with several. */
function openForServing(config: Config, log: Log, print: (text: string) => void): OpenedForServing {
  let isServing = false
  const onLocked = (): void => {
    if (isServing) log.warn('another process holds the write lock of the store; writes are waiting')
    else
      print(
        `Waiting for another process that is writing to the store (up to ${START_LOCK_WAIT_MS / 1_000} s).\n`,
      )
  }
  const opened = openStoreForServer(config, { onLocked })
  const store: Store = {
    ...opened.store,
    async startServing() {
      isServing = true
      await opened.store.startServing()
    },
  }
  const { forwardWrite } = opened
  const createRuntimeOn = (ports: Ports): Promise<Runtime> =>
    config.workers === 1
      ? createRuntime(config, ports, { store, forwardWrite }, log)
      : createPrimary(config, ports, { store, forwardWrite }, log)
  return { store, createRuntimeOn }
}

async function run(
  config: Config,
  { store, createRuntimeOn }: OpenedForServing,
  log: Log,
  { print, showStep }: { print: (text: string) => void; showStep: (step: string) => void },
  demo: Demo | undefined,
): Promise<number> {
  showStep('preparing the store')
  const ports = await choosePorts(config, print)
  const runtime = await createRuntimeOn(ports)
  const stopped = waitForStopSignals()
  await listen(config.host, ports.http, () => runtime.listen())
  const metrics = await listenForMetrics(config, ports, runtime).catch(async (error: unknown) => {
    await runtime.close()
    throw error
  })
  const shared = getSharedState(store, config)
  let preparedDemo: PreparedDemo | undefined
  const prepared = runtime.prepare(async () => {
    const { services } = runtime
    const { addresses, tenant, mqttUrl } = services
    await store.recordServer({ publicUrl: addresses.publicUrl, tenant, mqttUrl })
    const describe = async (): Promise<string> =>
      describeReady({
        config,
        ports,
        services,
        isDemo: await store.isDemo(),
        demoClientIds: preparedDemo?.clientIds,
        metricsUrl: metrics?.url,
      })
    if (!demo) {
      // If the log is not read on a terminal, every line must be JSON.
      if (process.stdout.isTTY) print(await describe())
      return
    }
    const during = { progress: showProgress(print), stopping: stopped.signal }
    const make = () => demo.prepare({ config, mqttPort: ports.mqtt, services, store, ...during })
    preparedDemo = await prepareUnderLease(make, services, shared, log)
    print(preparedDemo.text)
    print(await describe())
  })
  const isReady = await Promise.race([prepared.then(() => true), stopped.first.then(() => false)]).catch(
    async (error: unknown) => {
      await metrics?.close()
      await runtime.close()
      throw toStartError(error)
    },
  )
  const simulator = isReady ? await simulateDemo(preparedDemo, runtime, shared, log) : undefined
  if (isReady) {
    const { publicUrl } = runtime.services.addresses
    log.info({ publicUrl, ...describeBroker(config, ports), metricsUrl: metrics?.url }, 'ready')
    collectGarbage()
  }
  // Stopped while preparing: the work in progress fails on the closed store, and the next start resumes it.
  else prepared.catch(() => {})

  log.info({ signal: await stopped.first }, 'stopping')
  await simulator?.stop()
  await metrics?.close()
  const hasDrained = await Promise.race([
    runtime.close().then(() => true),
    stopped.second.then(() => false),
    new Promise<boolean>((resolve) => setTimeout(resolve, DRAIN_MS, false).unref()),
  ])
  log.info({ hasDrained }, 'stopped')
  return hasDrained ? 0 : 1
}

/** The addresses to which devices connect, for the log. */
function describeBroker(
  { mqttUrl, mqttHost, host }: Config,
  { mqtt, mqtts }: Ports,
): { mqtt?: string; mqtts?: string } {
  if (mqttUrl !== undefined) return {}
  return { mqtt: `${mqttHost}:${mqtt}`, ...(mqtts === undefined ? {} : { mqtts: `${host}:${mqtts}` }) }
}

/** Another process may have taken the port since it was chosen. */
function listenForMetrics(
  { metricsHost: host }: Config,
  { metrics: port }: Ports,
  { metricsText, services }: Runtime,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return Promise.resolve(undefined)
  const { contentType } = services.metrics
  return listen(host, port, () => startMetricsServer({ host, port, contentType, computeText: metricsText }))
}
