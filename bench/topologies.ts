import { findPostgres, startPostgres } from '../acceptance/support/servers/postgres.ts'
import { atLeast, atMost, type Benchmark, type Row } from './benchmark.ts'
import { makeDatabase } from './contenders/postgres/database.ts'
import type { HttpRequest } from './support/saturate.ts'
import { withTempFolder } from './support/temp-folder.ts'
import { hasMosquitto, makeMosquitto } from './support/mosquitto.ts'
import { hourlyReadRequests } from './support/read-requests.ts'
import { startReference, startStaticServer } from './support/reference.ts'
import { DAY_MS } from './support/residence.ts'
import { toRatio } from './support/ratio.ts'
import { type Contender, runInterleaved, type Measurement, roundsFor } from './support/rounds.ts'
import { answerTo, withEtags } from './support/send.ts'
import { formatMeasurement, formatRatio } from './support/format.ts'
import { manyClients, tokenRequest } from './support/token-requests.ts'
import { makeDataset, type Dataset } from './support/dataset.ts'

type Topology = 'direct' | 'behind a proxy' | 'WORKERS=2' | 'PostgreSQL' | 'PostgreSQL and MQTT_URL'

interface Server {
  year: Dataset
  /** Process id of its database. */
  backendPid?: number
  /** Headers that its proxy adds. */
  headers?: Record<string, string>
}

/** Requests per second of processor time, relative to the direct server. */
const WANTED: Partial<Record<Topology, number>> = { 'behind a proxy': 0.85, 'WORKERS=2': 0.75 }

/** Requests of the direct server relative to a minimal node:http server. */
const WANTED_OVER_BARE = { read: 0.41, unchanged: 0.57, token: 0.65 }

/** Processor time of a request over the rate limit, relative to a read. */
const MAX_COST_OVER_LIMIT = 0.5

const FORWARDED = { 'x-forwarded-for': '198.51.100.7' }

export const topologies: Benchmark = {
  name: 'topologies',
  about:
    'The same requests for the same readings in each deployment, with the rate limit on: 48 hours of a random room by the hour within the last 72 hours, the same answered with 304, and tokens for thousands of clients. Ratios are of requests per second of processor time, including that of PostgreSQL.',
  run: ({ isSmoke }) =>
    withTempFolder((folder) => withServers(folder, isSmoke, (servers) => measure(servers, isSmoke))),
}

async function withServers<T>(
  folder: string,
  isSmoke: boolean,
  work: (servers: Map<Topology, Server>) => Promise<T>,
): Promise<T> {
  const size = { rooms: isSmoke ? 2 : 50, days: 10, isRateLimited: true }
  await using started = new AsyncDisposableStack()
  const start = async (options: Partial<Parameters<typeof makeDataset>[0]> = {}) =>
    started.adopt(await makeDataset({ ...size, ...options }), (year) => year.close())
  const direct = await start()
  const servers = new Map<Topology, Server>([
    ['direct', { year: direct }],
    ['behind a proxy', { year: await start({ isBehindProxy: true, like: direct }), headers: FORWARDED }],
    ['WORKERS=2', { year: await start({ workers: 2, like: direct }) }],
  ])
  if (findPostgres() !== undefined) {
    const cluster = started.adopt(await startPostgres({ autovacuum: 'off' }), (one) => one.stop())
    const backendPid = cluster.pid()
    const one = await makeDatabase(cluster, 'one')
    servers.set('PostgreSQL', { year: await start({ database: one, like: direct }), backendPid })
    if (hasMosquitto()) {
      const mosquitto = await makeMosquitto(folder)
      await mosquitto.start()
      started.defer(() => mosquitto.stop())
      const other = await makeDatabase(cluster, 'other')
      const options = { database: other, broker: mosquitto.url, like: direct }
      servers.set('PostgreSQL and MQTT_URL', { year: await start(options), backendPid })
    }
  }
  return await work(servers)
}

async function measure(servers: ReadonlyMap<Topology, Server>, isSmoke: boolean): Promise<Row[]> {
  const [direct] = [...servers.values()]
  if (!direct) throw new Error('There is no server to measure.')
  const recent = ({ year }: Server): HttpRequest[] => hourlyReadRequests(year, year.to - 3 * DAY_MS)
  const [request] = recent(direct)
  if (!request) throw new Error('There is nothing to read.')
  await using references = new AsyncDisposableStack()
  const reference = async (started: ReturnType<typeof startReference>) =>
    references.adopt(await started, (one) => one.stop())
  const same = await reference(startStaticServer(await answerTo(direct.year, request)))
  const hello = await reference(
    startStaticServer({ headers: { 'content-type': 'text/plain' }, body: 'hello\n' }),
  )
  const { clientId, clientSecret } = direct.year.partner
  const signing = await reference(startReference('token', clientId, clientSecret))
  return [
    ...(await compare('reads', WANTED_OVER_BARE.read, servers, isSmoke, async (server) => recent(server), {
      ...same,
      requests: recent(direct),
    })),
    ...(await overLimit(direct, recent(direct), isSmoke)),
    ...(await compare(
      '304',
      WANTED_OVER_BARE.unchanged,
      servers,
      isSmoke,
      (server) => withEtags(server.year, recent(server).slice(0, isSmoke ? 50 : 1_000)),
      { ...hello, requests: recent(direct) },
    )),
    ...(await compare(
      'tokens',
      WANTED_OVER_BARE.token,
      servers,
      isSmoke,
      (server) => manyClients(server.year, isSmoke ? 500 : 5_000),
      { ...signing, requests: [tokenRequest('/token', direct.year.partner)] },
    )),
  ]
}

/**
 * The cost of a read that is rejected because its caller has exceeded the limit: relative to the same read within the
 * limit, without a range, and to the cheapest one, whose body is cached.
 */
async function overLimit(
  { year: { installation, residence } }: Server,
  cached: readonly HttpRequest[],
  isSmoke: boolean,
): Promise<Row[]> {
  const { url, pid } = installation
  const partner = await installation.addPartner(residence.siteUuid, { perMinute: 1, per5Minutes: 1 })
  const authorization = `Bearer ${await installation.tokenFor(partner)}`
  const reads = cached.map((sent) => ({ ...sent, path: sent.path.replace(/\?.*/, '') }))
  const refused = reads.map((sent) => ({ ...sent, headers: { ...sent.headers, authorization } }))
  // The only request that is allowed within the next five minutes.
  await fetch(`${url}/v2/spaces`, { headers: { authorization, siteid: residence.siteUuid } })
  const { beyond, read, cachedRead } = await runInterleaved(
    {
      beyond: { url, pid, requests: refused, areRefused: true },
      read: { url, pid, requests: reads },
      cachedRead: { url, pid, requests: cached },
    },
    isSmoke ? roundsFor(true) : { ...roundsFor(false), seconds: 2, maxRounds: 8 },
  )
  const label = 'reads over the rate limit, direct, processor time relative to'
  const ratio = toRatio(read.perCpuSecond, beyond.perCpuSecond)
  return [
    {
      label: `${label} the same reads within it, of the last 24 hours`,
      value: formatRatio(ratio),
      ...atMost(MAX_COST_OVER_LIMIT, ratio.value),
      detail: `refused ${formatMeasurement(beyond)}; allowed ${formatMeasurement(read)}`,
    },
    {
      label: `${label} reads whose body is cached`,
      value: formatRatio(toRatio(cachedRead.perCpuSecond, beyond.perCpuSecond)),
      detail: `allowed ${formatMeasurement(cachedRead)}`,
    },
  ]
}

async function compare(
  what: string,
  wantedOverBare: number,
  servers: ReadonlyMap<Topology, Server>,
  isSmoke: boolean,
  requestsFor: (server: Server) => Promise<readonly HttpRequest[]>,
  bare: Contender,
): Promise<Row[]> {
  const contenders: Record<string, Contender> = { bare }
  for (const [name, server] of servers) {
    const { url, pid } = server.year.installation
    const { backendPid, headers } = server
    const requests = (await requestsFor(server)).map((sent) => ({
      ...sent,
      headers: { ...sent.headers, ...headers },
    }))
    contenders[name] = { url, pid, requests, ...(backendPid === undefined ? {} : { backendPid }) }
  }
  const performed = await runInterleaved(
    contenders,
    isSmoke ? roundsFor(true) : { ...roundsFor(false), seconds: 2, maxRounds: 8 },
  )
  const { bare: least, direct } = performed
  if (!least || !direct) throw new Error(`No ${what} were measured.`)
  const row = (name: string, own: Measurement, than: Measurement, wanted: number | undefined): Row => {
    const ratio = toRatio(own.perCpuSecondOfAll, than.perCpuSecondOfAll)
    return {
      label: `${what}, ${name}`,
      value: formatRatio(ratio),
      ...(wanted === undefined ? {} : atLeast(wanted, ratio.value)),
      detail: formatMeasurement(own),
    }
  }
  return [
    row('direct, relative to a plain node:http server', direct, least, wantedOverBare),
    ...[...servers.keys()].flatMap((name) => {
      const own = performed[name]
      return name === 'direct' || !own ? [] : [row(`${name}, relative to direct`, own, direct, WANTED[name])]
    }),
  ]
}
