import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../eventually.ts'
import { hasExited } from './child.ts'
import { commandPath } from './command.ts'
import { killAtExit } from './kill-at-exit.ts'
import { copyDatabase, databaseFor, dropDatabase } from './backend.ts'
import { type DemoEnv, readDemoEnv } from './demo-env.ts'
import { findFreePort } from './free-port.ts'

// Deadlines for failures only; a slow machine must meet all of them.
const readyWithinMs = 600_000
/** Set when a part of the suite runs on servers with several workers. */
export const workersOfEveryServer = (): string | undefined => process.env['PORTICO_WORKERS']
const stopWithinMs = 180_000

export interface StartOptions {
  /** With the demo site and its two partners. Default true. */
  demo?: boolean
  /** Further flags of `portico serve`. */
  args?: string[]
  /** Environment variables; the child gets only PATH, HOME and these. */
  env?: Record<string, string>
  /** An existing store to use. It is not removed at the end. */
  dataDir?: string
  /** The port of an earlier start: addresses, including the issuer's, stay the same. */
  port?: number
  /** URL of an external broker; without it the server embeds one, on its own port. */
  mqttUrl?: string
  /** The broker's port is left to the server's default. */
  isMqttPortDefault?: true
  /** The public address that the server is configured with. Default: `http://localhost:<port>`. */
  publicUrl?: string
  /** The command to run. Default: the one under test. */
  command?: string
  /** Files of a certificate and its key, for HTTPS. */
  tls?: { cert: string; key: string }
}

export interface Portico {
  /** The public address, without a trailing slash. */
  url: string
  authUrl: string
  baseUrl: string
  operatorUrl: string
  /** Where the server listens. Differs from `url` only if `publicUrl` is set. */
  origin: string
  port: number
  /** Process id of the server. */
  pid: number
  /** Address of the embedded broker. */
  mqttUrl: string
  /** The address of MQTT over TLS, for a server started with `tls`. */
  mqttsUrl: string
  /** The listener for Prometheus, unless the test sets METRICS_PORT. */
  metricsUrl: string
  /** The lines of `demo.env`; throws for a server without the demo. */
  readonly demoEnv: DemoEnv
  dataDir: string
  /** The server's output so far, stdout and stderr together. */
  output(): string
  /** Waits for text in the output, which can arrive later than a response that was sent after it. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal, for a preloaded module that listens to it. */
  signal(name: NodeJS.Signals): void
  /** SIGTERM; returns the exit code (null if a signal ended the process). */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a server; resolves when it is ready. */
export async function startPortico(options: StartOptions = {}): Promise<Portico> {
  const attempts = options.port === undefined ? 3 : 1
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(options.port ?? (await findFreePort()), options)
    } catch (error) {
      // Another process can take a port between the check and the listen.
      if (attempt === attempts || !/EADDRINUSE|is taken/.test(String(error))) throw error
    }
  }
}

async function startOn(port: number, options: StartOptions): Promise<Portico> {
  const { demo = true, tls } = options
  const dataDir = options.dataDir ?? (demo ? await makeDemoDir() : await makeTempDir())
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--data', dataDir]
  const mqttPort = await mqttPortFor(dataDir)
  if (options.mqttUrl === undefined && !options.isMqttPortDefault) flags.push('--mqtt-port', String(mqttPort))
  if (options.mqttUrl !== undefined) flags.push('--mqtt', options.mqttUrl)
  if (demo) flags.unshift('--demo')
  if (options.publicUrl !== undefined) flags.push('--public-url', options.publicUrl)
  if (tls) flags.push('--tls-cert', tls.cert, '--tls-key', tls.key)
  const metricsPort = await findFreePort()
  const mqttsPort = tls && options.mqttUrl === undefined ? await findFreePort() : undefined
  if (mqttsPort !== undefined) flags.push('--mqtts-port', String(mqttsPort))
  const env = {
    ...(await databaseFor(dataDir)),
    METRICS_PORT: String(metricsPort),
    ...options.env,
  }
  const child = spawnPortico(['serve', ...flags, ...(options.args ?? [])], env, options.command)
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      written += chunk
    })
  }
  const exited = once(child, 'close')

  const scheme = tls ? 'https' : 'http'
  const origin = `${scheme}://127.0.0.1:${port}`
  const url = options.publicUrl ?? `${scheme}://localhost:${port}`
  let demoEnv: DemoEnv | undefined
  try {
    await untilReady(origin, child, () => written)
    if (demo) demoEnv = await readDemoEnv(dataDir)
  } catch (error) {
    await end('SIGKILL')
    throw error
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    child.kill(signal)
    // A server that does not stop must fail its test, not hang the suite.
    const giveUp = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    await exited
    clearTimeout(giveUp)
    if (options.dataDir === undefined) await removeDataDir(dataDir)
    return child.exitCode
  }

  return {
    url,
    authUrl: `${url}/auth`,
    baseUrl: `${url}/v2`,
    operatorUrl: `${url}/operator`,
    origin,
    port,
    pid: child.pid ?? 0,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    mqttsUrl: `mqtts://127.0.0.1:${mqttsPort}`,
    dataDir,
    get demoEnv(): DemoEnv {
      if (!demoEnv) throw new Error('this server was started without the demo')
      return demoEnv
    },
    output: () => written,
    waitForOutput: (pattern) =>
      eventually(
        async () => pattern.exec(written) ?? assert.fail(`no ${pattern} in the output:\n${written}`),
      ),
    signal: (name) => void child.kill(name),
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
    [Symbol.asyncDispose]: async () => {
      await end('SIGTERM')
    },
  }
}

const mqttPorts = new Map<string, number>()

/** A store keeps its broker's port across restarts, like an installation. */
async function mqttPortFor(dataDir: string): Promise<number> {
  const known = mqttPorts.get(dataDir) ?? (await findFreePort())
  mqttPorts.set(dataDir, known)
  return known
}

export interface RunOptions {
  dataDir?: string
  env?: Record<string, string>
  stdin?: string
  /** Root may read any file: with this, the command runs without that capability. */
  isUnprivileged?: boolean
  /** Longest duration in milliseconds; a command that takes longer is killed. */
  timeoutMs?: number
  /** SIGKILL as soon as this holds for the output on stderr. */
  killWhen?(stderr: string): boolean
}

export interface RunResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a `portico` command to completion. */
export async function runPortico(args: string[], options: RunOptions = {}): Promise<RunResult> {
  const { dataDir } = options
  const data = dataDir === undefined ? [] : ['--data', dataDir]
  const database = dataDir === undefined ? {} : await databaseFor(dataDir)
  const child = spawnPortico(
    [...args, ...data],
    { ...database, ...options.env },
    commandPath(),
    options.isUnprivileged,
  )
  const result: RunResult = { code: null, stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    result.stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    result.stderr += chunk
    if (options.killWhen?.(result.stderr)) child.kill('SIGKILL')
  })
  // A command that rejects its arguments may exit before reading its input.
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.stdin ?? '')
  const giveUp = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? readyWithinMs)
  await once(child, 'close')
  clearTimeout(giveUp)
  result.code = child.exitCode
  return result
}

/** A data folder with the demo and its history, if the run has created one; otherwise an empty one. */
export async function makeDemoDir(): Promise<string> {
  const made = process.env['ACCEPTANCE_DEMO_DIR']
  return made === undefined ? makeTempDir() : copyDataDir(made)
}

/** A copy of a data folder that no server uses, including its database. */
export async function copyDataDir(original: string): Promise<string> {
  const folder = await makeTempDir()
  await cp(original, folder, { recursive: true })
  await copyDatabase(original, folder)
  return folder
}

/** Deletes a data folder and its database. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true })
  await dropDatabase(dataDir)
}

export function makeTempDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'portico-acceptance-'))
}

/** Runs a command as the same user, without the capabilities of root. */
const WITHOUT_CAPABILITIES: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-all', '--inh-caps', '-all'] : []

/** Whether `isUnprivileged` can be used: a container may not let root give up its capabilities. */
export function canDropCapabilities(): boolean {
  const [command, ...args] = WITHOUT_CAPABILITIES
  return command === undefined || spawnSync(command, [...args, 'true']).status === 0
}

function spawnPortico(
  args: string[],
  env: Record<string, string> = {},
  program = commandPath(),
  isUnprivileged = false,
): ChildProcess {
  const workers = workersOfEveryServer()
  const inherited = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ...(workers === undefined ? {} : { WORKERS: workers }),
    // Tests run in parallel, so none may use the default port.
    METRICS_PORT: '0',
  }
  // Not the repository's folder: commands must not depend on the working directory, nor leave files in it.
  const prefix = isUnprivileged ? WITHOUT_CAPABILITIES : []
  const [command, ...others] = [...prefix, process.execPath, program, ...args]
  return killAtExit(
    spawn(command ?? process.execPath, others, { cwd: tmpdir(), env: { ...inherited, ...env } }),
  )
}

async function untilReady(origin: string, child: ChildProcess, written: () => string): Promise<void> {
  const deadline = Date.now() + readyWithinMs
  while (Date.now() < deadline) {
    if (hasExited(child)) {
      throw new Error(`portico serve ended with ${child.exitCode ?? child.signalCode}:\n${written()}`)
    }
    if ((await readStatus(`${origin}/ready`)) === 200) return
    await delay(50)
  }
  throw new Error(`portico serve was not ready within ${readyWithinMs} ms:\n${written()}`)
}

function readStatus(address: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const answered = (response: http.IncomingMessage): void => {
    response.resume()
    resolve(response.statusCode)
  }
  // Only checks that the server is up; the tests verify certificates themselves.
  const request = address.startsWith('https:')
    ? https.get(address, { rejectUnauthorized: false, agent: false }, answered)
    : http.get(address, { agent: false }, answered)
  request.setTimeout(60_000, () => request.destroy())
  request.once('error', () => resolve(undefined))
  request.once('close', () => resolve(undefined))
  return promise
}
