import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChild } from './child.ts'
import { commandPath } from '../../acceptance/support/servers/command.ts'
import { findFreePort } from '../../acceptance/support/servers/free-port.ts'
import { isOk } from './is-ok.ts'

export interface Credentials {
  clientId: string
  clientSecret: string
}

/** Limits of the partner that override the server's. */
export interface RateLimits {
  perMinute: number
  per5Minutes: number
}

export const TOKEN_PATH = '/auth/oauth2/v2.0/token'

export const tokenForm = ({ clientId, clientSecret }: Credentials): URLSearchParams =>
  new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    scope: `api://${clientId}/.default`,
    grant_type: 'client_credentials',
  })

/** A server started as a user would, with operations of its operator. */
export interface Installation {
  url: string
  pid: number
  /** Address of its embedded broker. */
  mqttUrl: string
  applyInventory(document: unknown): Promise<void>
  addGateway(siteUuid: string): Promise<{ username: string; password: string }>
  /** A new partner that may read spaces and events, read and control devices, and manage webhooks. */
  addPartner(siteUuid: string, rateLimits?: RateLimits): Promise<Credentials>
  tokenFor(credentials: Credentials): Promise<string>
  /** Token of its operator. */
  operatorToken: string
  stop(): Promise<void>
}

export interface InstallationOptions {
  /** URL of an external broker; without it the server embeds one. */
  broker?: string | undefined
  /** URL of its database; without it the store is a file in the folder. */
  database?: string | undefined
  /** Number of worker processes; one if omitted. */
  workers?: number | undefined
  /** Whether rate limits are counted; they are then set to their maximum. Off by default. */
  isRateLimited?: boolean | undefined
  /** Whether the server trusts the X-Forwarded-For header of one proxy. */
  isBehindProxy?: boolean | undefined
}

const HIGHEST_LIMIT = '1000000'

export async function startInstallation(
  folder: string,
  { broker, database, workers, isRateLimited = false, isBehindProxy = false }: InstallationOptions = {},
): Promise<Installation> {
  const store = ['--data', join(folder, 'data'), ...(database === undefined ? [] : ['--database', database])]
  const operatorFlags = ['--name', 'Operator', '--role', 'Operator', ...store, '--json']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [commandPath(), 'partner', 'add', ...operatorFlags],
    { env: {} },
  )
  const operator = JSON.parse(stdout) as Credentials
  const [port, mqttPort] = [await findFreePort(), await findFreePort()]
  const brokerFlags = broker === undefined ? ['--mqtt-port', String(mqttPort)] : ['--mqtt', broker]
  const workerFlags = workers === undefined ? [] : ['--workers', String(workers)]
  const url = `http://127.0.0.1:${port}`
  const child = await startChild(
    process.execPath,
    [
      commandPath(),
      'serve',
      ...store,
      '--port',
      String(port),
      '--rate-limit',
      isRateLimited ? 'on' : 'off',
      ...brokerFlags,
      ...workerFlags,
    ],
    {
      logFile: join(folder, 'portico.log'),
      isUp: () => isOk(`${url}/ready`),
      // Benchmarks may run next to other servers, and their metrics are not scraped.
      env: {
        METRICS_PORT: 'off',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
        RATE_LIMIT_PER_MINUTE: HIGHEST_LIMIT,
        RATE_LIMIT_PER_5_MINUTES: HIGHEST_LIMIT,
        ...(isBehindProxy ? { TRUST_PROXY: '1' } : {}),
      },
    },
  )

  const tokenFor = async (credentials: Credentials): Promise<string> => {
    const answer = await answerTo<{ access_token: string }>(`${url}${TOKEN_PATH}`, {
      method: 'POST',
      body: tokenForm(credentials),
    })
    return answer.access_token
  }
  const operatorToken = await tokenFor(operator)
  const operate = <T>(method: string, path: string, body: unknown): Promise<T> =>
    answerTo<T>(`${url}/operator${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  return {
    url,
    pid: child.pid,
    mqttUrl: broker ?? `mqtt://127.0.0.1:${mqttPort}`,
    async applyInventory(document) {
      await operate('PUT', '/inventory', document)
    },
    async addGateway(siteUuid) {
      const { mqttUsername, mqttPassword } = await operate<{ mqttUsername: string; mqttPassword: string }>(
        'POST',
        `/sites/${siteUuid}/gateways`,
        { name: 'Riser' },
      )
      return { username: mqttUsername, password: mqttPassword }
    },
    async addPartner(siteUuid, rateLimits) {
      const roles = ['Spaces.Read', 'Devices.Read', 'Devices.Control', 'Events.Read', 'Webhooks.Manage']
      const partner = { name: 'Benchmark', sites: [siteUuid], roles, ...(rateLimits && { rateLimits }) }
      return operate<Credentials>('POST', '/partners', partner)
    },
    tokenFor,
    operatorToken,
    stop: () => child.stop(),
  }
}

async function answerTo<T>(address: string, init: RequestInit): Promise<T> {
  const response = await fetch(address, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${init.method} ${address}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}
