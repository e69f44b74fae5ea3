import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import autocannon, { type Client, type Request } from 'autocannon'

const WRK = '/usr/bin/wrk'
const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url))
const CONNECTIONS = 32

/** Keeps the load generator on one core, where Linux allows it, so that it disturbs the servers less. */
const ON_LAST_CORE: readonly string[] = findPinning()

function findPinning(): string[] {
  const command = ['taskset', '-c', String(availableParallelism() - 1)]
  const [program = '', ...args] = command
  const isAllowed = availableParallelism() > 1 && spawnSync(program, [...args, 'true']).status === 0
  return isAllowed ? command : []
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface LoadResult {
  count: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

/** wrk uses less processor time than autocannon, which is an npm package and always available. */
export const loader = existsSync(WRK) ? 'wrk' : 'autocannon'

/**
 * Sends the requests round robin over persistent connections, as fast as the server answers. A rejected request fails
 * the benchmark; with `areRefused`, one that is not rejected does.
 */
export async function saturate(
  url: string,
  requests: readonly HttpRequest[],
  seconds: number,
  areRefused = false,
): Promise<LoadResult> {
  const { refused, ...answered } = await (loader === 'wrk' ? withWrk : withAutocannon)(url, requests, seconds)
  if (refused !== (areRefused ? answered.count : 0))
    throw new Error(`${refused} of ${answered.count} requests to ${url} were refused`)
  return answered
}

type Result = LoadResult & { refused: number }

async function withWrk(url: string, requests: readonly HttpRequest[], seconds: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-wrk-'))
  try {
    const file = join(folder, 'requests')
    writeFileSync(file, requests.map((sent) => onTheWire(sent, new URL(url).host)).join('\0'))
    const flags = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '30s', '-s', SCRIPT]
    const [command, ...pinned] = [...ON_LAST_CORE, WRK]
    const { stdout } = await promisify(execFile)(command, [...pinned, ...flags, url, '--', file])
    const line = /^RESULT (.*)$/m.exec(stdout)?.[1]
    if (line === undefined) throw new Error(`wrk said:\n${stdout}`)
    return JSON.parse(line) as Result
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function onTheWire({ method, path, headers, body = '' }: HttpRequest, host: string): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...lines, ...length, '', body].join('\r\n')
}

async function withAutocannon(
  url: string,
  requests: readonly HttpRequest[],
  seconds: number,
): Promise<Result> {
  const all: Request[] = [...requests]
  let client = 0
  const {
    latency,
    duration,
    errors,
    non2xx,
    statusCodeStats,
    requests: made,
  } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    timeout: 30,
    requests: all.slice(0, 1),
    // wrk prepares every request for every connection, so each gets a share of them.
    setupClient(one: Client) {
      const share = all.filter((_, index) => index % CONNECTIONS === client)
      if (share.length > 0) one.setRequests(share)
      client += 1
    },
  })
  const unchanged = statusCodeStats?.['304']?.count ?? 0
  return {
    count: made.total,
    seconds: duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    refused: errors + non2xx - unchanged,
  }
}
