import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config, ConfigError } from '../config/config.ts'
import type { Demo, PreparedDemo, Progress } from './demo.ts'
import { UserFacingError } from '../kernel/errors.ts'
import { createLeases, withLease, runAsLeader } from '../domain/coordination/leases.ts'
import { collectGarbage } from '../kernel/collect-garbage.ts'
import { createLog, type Log } from '../kernel/log.ts'
import { type MetricsServer, startMetricsServer } from './metrics-server.ts'
import { createRuntime, type Ports, type Runtime } from './runtime.ts'
import { type ForwardWrite, openStoreForServer } from '../store/open.ts'
import { lockForInstance } from '../store/postgres/cluster/lock.ts'
import { type Lock, lockForServer } from '../store/sqlite/lock.ts'
import { START_LOCK_WAIT_MS } from '../store/sqlite/write-lock.ts'
import { getSharedState, type SharedState, type Store } from '../store/store.ts'
import { createPrimary } from './workers/primary.ts'

const DRAIN_MS = 15_000

/** A start that failed, with a one-line message for the terminal. */
export class StartError extends UserFacingError {}

/** Runs the server until it receives a signal; returns the exit code. The demo is used if it is configured. */
export async function serve(config: Config, print: (text: string) => void, demo?: Demo): Promise<number> {
  const log = createLog(config.logLevel)
  if (config.trustProxy === true)
    log.warn(
      'TRUST_PROXY=on trusts every X-Forwarded-For header, even one forged by a client; set the number of proxies or their addresses instead',
    )
  const lock = await lockStore(config)
  const opened = openForServing(config, log, print)
  const { store } = opened
  try {
    return await run(config, opened, log, print, config.demo ? demo : undefined)
  } finally {
    await store.close()
    await lock.release()
  }
}

/**
 * A SQLite file has one server. A database can have several if all use one external broker; a server with an embedded
 * broker must be the only one.
 */
async function lockStore({ database, mqttUrl }: Config): Promise<{ release(): void | Promise<void> }> {
  if (database.kind === 'sqlite') {
    const lock = await lockFile(database.file)
    if (lock) return lock
    throw new StartError(`another Portico server holds ${database.file}; stop it or use another --data`)
  }
  const lock = await lockForInstance(database.url, { isAlone: mqttUrl === undefined })
  if (lock) return lock
  if (mqttUrl !== undefined)
    throw new StartError('a server with an embedded broker, or a copy, is using the database; stop it first')
  throw new ConfigError('several servers on one database need one external broker: set MQTT_URL on each')
}

/** After kill -9, the operating system takes a moment to end a large process, which holds its lock until then. */
const LOCK_FILE_WAIT_MS = 5_000
const LOCK_FILE_RETRY_MS = 100

async function lockFile(file: string): Promise<Lock | undefined> {
  for (let waitedMs = 0; ; waitedMs += LOCK_FILE_RETRY_MS) {
    const lock = lockForServer(file)
    if (lock || waitedMs >= LOCK_FILE_WAIT_MS) return lock
    await delay(LOCK_FILE_RETRY_MS)
  }
}

interface OpenedForServing {
  store: Store
  forwardWrite: ForwardWrite
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
  const createRuntimeOn = (ports: Ports): Promise<Runtime> =>
    config.workers === 1
      ? createRuntime(config, ports, store, log)
      : createPrimary(config, ports, { store, forwardWrite: opened.forwardWrite }, log)
  return { store, forwardWrite: opened.forwardWrite, createRuntimeOn }
}

async function run(
  config: Config,
  { store, forwardWrite, createRuntimeOn }: OpenedForServing,
  log: Log,
  print: (text: string) => void,
  demo: Demo | undefined,
): Promise<number> {
  const ports = await choosePorts(config, print)
  const runtime = await createRuntimeOn(ports)
  const stopped = waitForSignals()
  await listen(config.host, ports.http, () => runtime.listen())
  const metrics = await listenForMetrics(config, ports, runtime).catch(async (error: unknown) => {
    await runtime.close()
    throw error
  })
  const shared = getSharedState(store, config)
  let preparedDemo: PreparedDemo | undefined
  const prepared = runtime.prepare(async () => {
    if (!demo) return
    const { services } = runtime
    const during = { progress: showProgress(print), stopping: stopped.signal, write: forwardWrite }
    const make = () => demo.prepare({ config, mqttPort: ports.mqtt, services, store, ...during })
    preparedDemo = await withDemoLease(make, services, shared, log)
    print(preparedDemo.text)
    if (metrics) print(`Prometheus metrics are at ${metrics.url}\n\n`)
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

/** Serialises demo creation among instances that start at the same time. */
function withDemoLease<T>(
  make: () => Promise<T>,
  { clock }: Runtime['services'],
  shared: SharedState | undefined,
  log: Log,
): Promise<T> {
  if (!shared) return make()
  return withLease(createLeases(shared.leases, clock), 'demo', make, (err) =>
    log.debug({ err }, 'the lease of the demo cannot be renewed'),
  )
}

/** Simulates the demo's devices in one of several instances. */
async function simulateDemo(
  demo: PreparedDemo | undefined,
  { services }: Runtime,
  shared: SharedState | undefined,
  log: Log,
): Promise<{ stop(): Promise<void> } | undefined> {
  const startSimulator = demo?.startSimulator
  if (!startSimulator) return undefined
  if (!shared) return { stop: await startSimulator() }
  return runAsLeader(
    createLeases(shared.leases, services.clock),
    'simulator',
    () => startSimulator(shared.simulations),
    (err) => log.debug({ err }, 'the demo cannot be simulated'),
  )
}

/** A line that is updated in place on a terminal; one line per quarter otherwise. */
function showProgress(print: (text: string) => void): Progress {
  let shown = -1
  return (siteName, share) => {
    const percent = Math.floor(share * 100)
    const step = process.stdout.isTTY ? percent : Math.floor(percent / 25) * 25
    if (step === shown) return
    shown = step
    const line = `Generating the history of ${siteName}: ${step} %`
    print(process.stdout.isTTY ? `\r${line}${percent >= 99 ? '\n' : ''}` : `${line}\n`)
  }
}

/** The first signal requests a graceful stop; the second one stops immediately. */
function waitForSignals(): { first: Promise<string>; second: Promise<string>; signal: AbortSignal } {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  const stopping = new AbortController()
  let seen = 0
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      seen += 1
      ;(seen === 1 ? first : second).resolve(signal)
      stopping.abort()
    })
  }
  return { first: first.promise, second: second.promise, signal: stopping.signal }
}

/** Chooses the ports before listening, because addresses are derived from them. */
async function choosePorts(config: Config, print: (text: string) => void): Promise<Ports> {
  const { host, mqttHost, mqttsPort, demo, metricsHost, metricsPort } = config
  const chosen = new Map<number, string>()
  const choose = async (wanted: WantedPort): Promise<number> => {
    for (;;) {
      const port = await choosePort(wanted, print)
      const other = chosen.get(port)
      chosen.set(port, other ?? wanted.setting)
      if (other === undefined) return port
      if (port === wanted.port)
        throw new StartError(`port ${port} cannot be both ${other} and ${wanted.setting}`)
      // Two free ports chosen one after the other can be the same.
    }
  }
  const http = await choose({
    host,
    port: config.port,
    setting: '--port',
    mayMove: demo && !config.isPortGiven,
  })
  const metrics =
    metricsPort === 'off'
      ? undefined
      : await choose({
          host: metricsHost,
          port: metricsPort,
          setting: 'METRICS_PORT',
          // A second server on one machine must not fail because of a default port.
          mayMove: !config.isMetricsPortGiven,
        })
  if (config.mqttUrl !== undefined) return { http, mqtt: 0, mqtts: undefined, metrics }
  const mqtt = await choose({
    host: mqttHost,
    port: config.mqttPort,
    setting: '--mqtt-port',
    mayMove: demo && !config.isMqttPortGiven,
  })
  if (mqttsPort === undefined) return { http, mqtt, mqtts: undefined, metrics }
  // Another broker on this machine may already use the default port; an upgrade must not fail because of it.
  const mayMove = !config.isMqttsPortGiven
  const mqtts = await choose({ host, port: mqttsPort, setting: '--mqtts-port', mayMove })
  return { http, mqtt, mqtts, metrics }
}

interface WantedPort {
  host: string
  /** 0 picks a free port. */
  port: number
  /** The flag or variable of the port. */
  setting: string
  /** Whether a free port may be used if this one is taken. */
  mayMove: boolean
}

async function choosePort(
  { host, port, setting, mayMove }: WantedPort,
  print: (text: string) => void,
): Promise<number> {
  try {
    return await tryPort(host, port)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EADDRINUSE') {
      throw new StartError(`cannot listen on ${host} port ${port}: ${String(code ?? error)}`)
    }
    if (!mayMove) throw new StartError(`port ${port} on ${host} is taken; choose another with ${setting}`)
    const free = await tryPort(host, 0)
    print(`Port ${port} is taken; using ${free} instead.\n`)
    return free
  }
}

/** Another process can take the broker's port between the check and the listen. */
function toStartError(error: unknown): unknown {
  const isListen = error instanceof Error && 'syscall' in error && error.syscall === 'listen'
  return isListen ? new StartError(`the MQTT broker cannot start: ${error.message}`) : error
}

async function listen<T>(host: string, port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw new StartError(
      `cannot listen on ${host} port ${port}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
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

function tryPort(host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen({ host, port }, () => {
    const address = probe.address()
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : port))
  })
  return promise
}
