import { createServer } from 'node:net'
import { type Config, ConfigError } from './config/config.ts'
import { prepareDemo } from './demo/demo.ts'
import type { Progress } from './demo/history/calls.ts'
import { type DemoGateway, startSimulator } from './demo/simulator/simulator.ts'
import { createLeases } from './instance/leases.ts'
import { inTurn } from './instance/in-turn.ts'
import { inOnlyOne } from './instance/only-one.ts'
import { collectGarbage } from './lib/collect-garbage.ts'
import { createLog, type Log } from './lib/log.ts'
import { createRuntime, type Ports, type Runtime } from './runtime.ts'
import { openStore, openStoreForWorkers } from './store/open.ts'
import { lockForInstance } from './store/postgres/lock.ts'
import { lockForServer } from './store/sqlite/lock.ts'
import { sharedBy } from './store/shared.ts'
import type { Shared, Store } from './store/store.ts'
import { createFirstProcess } from './workers/first-process.ts'

const DRAIN_MS = 15_000

/** A start that cannot be, in one line for the person at the terminal. */
export class StartError extends Error {}

/** Runs the server until a signal ends it; answers with the exit code. */
export async function serve(config: Config, print: (text: string) => void): Promise<number> {
  const log = createLog(config.logLevel)
  const lock = await lockStore(config)
  const { store, createRuntimeOn } = openForServing(config, log)
  try {
    return await run(config, store, createRuntimeOn, log, print)
  } finally {
    await store.close()
    await lock.release()
  }
}

/** A file has one server. A database has many, if all use one outside broker: who has its own is alone. */
async function lockStore({ database, mqttUrl }: Config): Promise<{ release(): void | Promise<void> }> {
  if (database.kind === 'sqlite') {
    const lock = lockForServer(database.file)
    if (lock) return lock
    throw new StartError(`another Portico server holds ${database.file}; stop it or use another --data`)
  }
  const lock = await lockForInstance(database.url, { isAlone: mqttUrl === undefined })
  if (lock) return lock
  if (mqttUrl !== undefined)
    throw new StartError('a server with a broker of its own, or a copy, has the database; stop it first')
  throw new ConfigError('several servers on one database need one outside broker: set MQTT_URL on each')
}

/** One process that does everything, or several: they differ in who opens the store for writing. */
function openForServing(
  config: Config,
  log: Log,
): { store: Store; createRuntimeOn(ports: Ports): Promise<Runtime> } {
  const onHouseFailure = (err: unknown): void => log.warn({ err }, 'closed days are not rolled up')
  if (config.workers === 1) {
    const store = openStore(config, { keepsHouse: true, onHouseFailure })
    return { store, createRuntimeOn: (ports) => createRuntime(config, ports, store, log) }
  }
  const opened = openStoreForWorkers(config, onHouseFailure)
  return {
    store: opened.store,
    createRuntimeOn: (ports) => createFirstProcess(config, ports, opened, log),
  }
}

async function run(
  config: Config,
  store: Store,
  createRuntimeOn: (ports: Ports) => Promise<Runtime>,
  log: Log,
  print: (text: string) => void,
): Promise<number> {
  const ports = await choosePorts(config, print)
  const runtime = await createRuntimeOn(ports)
  const stopped = waitForSignals()
  await listen(runtime, config.host, ports.http)
  const shared = sharedBy(store, config)
  let gateways: DemoGateway[] = []
  const prepared = runtime.prepare(async () => {
    if (!config.demo) return
    const { services } = runtime
    const during = { progress: showProgress(print), stopping: stopped.signal }
    const make = () => prepareDemo(config, ports.mqtt, services, store, during)
    const demo = await makeInTurn(make, services, shared, log)
    print(demo.text)
    gateways = demo.gateways
  })
  const isReady = await Promise.race([prepared.then(() => true), stopped.first.then(() => false)]).catch(
    async (error: unknown) => {
      await runtime.close()
      throw toStartError(error)
    },
  )
  const simulator = isReady ? await playDemo(gateways, runtime, shared, log) : undefined
  if (isReady) {
    const { publicUrl } = runtime.services.addresses
    log.info({ publicUrl, ...describeBroker(config, ports) }, 'ready')
    collectGarbage()
  }
  // Asked to stop while preparing: what was under way fails on the closed store, and the next start takes it up again.
  else prepared.catch(() => {})

  log.info({ signal: await stopped.first }, 'stopping')
  await simulator?.stop()
  const hasDrained = await Promise.race([
    runtime.close().then(() => true),
    stopped.second.then(() => false),
    new Promise<boolean>((resolve) => setTimeout(resolve, DRAIN_MS, false).unref()),
  ])
  log.info({ hasDrained }, 'stopped')
  return hasDrained ? 0 : 1
}

/** Where devices connect, for the log. */
function describeBroker(
  { mqttUrl, mqttHost, host }: Config,
  { mqtt, mqtts }: Ports,
): { mqtt?: string; mqtts?: string } {
  if (mqttUrl !== undefined) return {}
  return { mqtt: `${mqttHost}:${mqtt}`, ...(mqtts === undefined ? {} : { mqtts: `${host}:${mqtts}` }) }
}

/** Instances that start at once make one demo, not two. */
function makeInTurn<T>(
  make: () => Promise<T>,
  { clock }: Runtime['services'],
  shared: Shared | undefined,
  log: Log,
): Promise<T> {
  if (!shared) return make()
  return inTurn(createLeases(shared.leases, clock), 'demo', make, (err) =>
    log.debug({ err }, 'the demo’s lease cannot be renewed'),
  )
}

/** Of several instances one plays the devices of the demo. */
async function playDemo(
  gateways: readonly DemoGateway[],
  { services }: Runtime,
  shared: Shared | undefined,
  log: Log,
): Promise<{ stop(): Promise<void> } | undefined> {
  if (gateways.length === 0) return undefined
  if (!shared) return { stop: await startSimulator(gateways, services) }
  return inOnlyOne(
    createLeases(shared.leases, services.clock),
    'simulator',
    () => startSimulator(gateways, services, shared.simulations),
    (err) => log.debug({ err }, 'the demo cannot be played'),
  )
}

/** One line that grows on a terminal, a line for each quarter elsewhere. */
function showProgress(print: (text: string) => void): Progress {
  let shown = -1
  return (siteName, share) => {
    const percent = Math.floor(share * 100)
    const step = process.stdout.isTTY ? percent : Math.floor(percent / 25) * 25
    if (step === shown) return
    shown = step
    const line = `Making the history of ${siteName}: ${step} %`
    print(process.stdout.isTTY ? `\r${line}${percent >= 99 ? '\n' : ''}` : `${line}\n`)
  }
}

/** The first signal asks to stop, the second does not wait for it. */
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

/** The ports to listen on: addresses are made from them, so they must be known first. */
async function choosePorts(config: Config, print: (text: string) => void): Promise<Ports> {
  const { host, mqttHost, mqttsPort, demo } = config
  const taken = new Map<number, string>()
  const choose = async (wanted: WantedPort): Promise<number> => {
    let port = await choosePort(wanted, print)
    // Two free ports picked one after the other can be the same one.
    while (taken.has(port) && wanted.port === 0) port = await choosePort(wanted, print)
    const other = taken.get(port)
    if (other !== undefined) throw new StartError(`port ${port} cannot be both ${other} and ${wanted.flag}`)
    taken.set(port, wanted.flag)
    return port
  }
  const http = await choose({
    host,
    port: config.port,
    flag: '--port',
    mayMove: demo && !config.isPortGiven,
  })
  if (config.mqttUrl !== undefined) return { http, mqtt: 0, mqtts: undefined }
  const mqtt = await choose({
    host: mqttHost,
    port: config.mqttPort,
    flag: '--mqtt-port',
    mayMove: demo && !config.isMqttPortGiven,
  })
  if (mqttsPort === undefined) return { http, mqtt, mqtts: undefined }
  // Another broker on this machine may have the usual port: it was there before this one spoke TLS.
  const mayMove = !config.isMqttsPortGiven
  return { http, mqtt, mqtts: await choose({ host, port: mqttsPort, flag: '--mqtts-port', mayMove }) }
}

interface WantedPort {
  host: string
  port: number
  flag: string
  /** To a free port, when this one is taken and was not asked for. */
  mayMove: boolean
}

async function choosePort(
  { host, port, flag, mayMove }: WantedPort,
  print: (text: string) => void,
): Promise<number> {
  try {
    return await tryPort(host, port)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EADDRINUSE') {
      throw new StartError(`cannot listen on ${host} port ${port}: ${String(code ?? error)}`)
    }
    if (!mayMove) throw new StartError(`port ${port} on ${host} is taken; choose another with ${flag}`)
    const free = await tryPort(host, 0)
    print(`Port ${port} is taken; using ${free} instead.\n`)
    return free
  }
}

/** Another process can take the port of the broker between the look and the listen. */
function toStartError(error: unknown): unknown {
  const isListen = error instanceof Error && 'syscall' in error && error.syscall === 'listen'
  return isListen ? new StartError(`the MQTT broker cannot start: ${error.message}`) : error
}

async function listen(runtime: Runtime, host: string, port: number): Promise<void> {
  try {
    await runtime.listen()
  } catch (error) {
    throw new StartError(
      `cannot listen on ${host} port ${port}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
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
