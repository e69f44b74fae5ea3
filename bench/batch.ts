import { readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseServer, isPostgres } from '../acceptance/support/servers/backend.ts'
import { on } from '../acceptance/support/servers/citus.ts'
import { type Demo, startDemo } from '../acceptance/support/servers/installation.ts'
import { asArray, asString, type JsonObject } from '../acceptance/support/json.ts'
import { atMost, type Benchmark, type Row, times } from './benchmark.ts'
import { median } from './support/ratio.ts'
import { startStaticServer } from './support/reference.ts'
import { startReader, type SteadyReader } from './support/steady-reader.ts'
import { readCpuSeconds, readResidentMb, untilIdle } from './support/usage.ts'

/** Share of the processor time of single reads that a batch may take; on PostgreSQL, round trips are saved as well. */
const MAX_SHARE = { embedded: 0.25, PostgreSQL: 0.15 }

const READS_A_SECOND = 100

/** Every series of the demo in one request, compared with a request for each of them. */
export const batch: Benchmark = {
  name: 'batch',
  about:
    'The series of all spaces and metrics of the demo over 24 hours by the hour, in as few requests as the number of metrics allows, compared with one request for each series. Ratios are of the processor time of the server and of its database.',
  async run({ isSmoke }) {
    const demo = await startDemo()
    try {
      const spaces = await demo.client.listAll('/spaces')
      const requests = createRequests(spaces)
      const backend = isPostgres() ? 'PostgreSQL' : 'embedded'
      // First: the base is a server whose compute thread has not started.
      const memory = await measureMemory(demo, requests)
      return [
        await compareTime(
          demo,
          `${requests.singles.length} series in ${requests.batches.length} requests, over single reads (${backend})`,
          requests.batches,
          requests.singles,
          isSmoke,
        ),
        await compareTime(
          demo,
          `scores of ${requests.scores.length} spaces over 30 days in one request, over single reads (${backend})`,
          [requests.scoreBatch],
          requests.scores,
          isSmoke,
        ),
        await compareGzip(demo, requests.batches, requests.singles),
        memory,
        await measureOthers(demo, requests, isSmoke),
      ]
    } finally {
      await demo.stop()
    }
  },
}

interface Requests {
  singles: string[]
  batches: string[]
  scores: string[]
  scoreBatch: string
  /** A page of 100,000 points. */
  largest: string
}

function createRequests(spaces: readonly JsonObject[]): Requests {
  const pairs = spaces.flatMap((space) =>
    asArray(space['metricTypes']).map((metric) => [asString(space['spaceUuid']), asString(metric)] as const),
  )
  const metrics = [...new Set(pairs.map(([, metric]) => metric))]
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const range = `fromDateTime=${day(1)}&toDateTime=${day(0)}`
  const month = `fromDateTime=${day(30)}&toDateTime=${day(0)}`
  return {
    singles: pairs.map(([space, metric]) => `/spaces/${space}/aggregate/${metric}/hourly?${range}`),
    batches: Array.from(
      { length: Math.ceil(metrics.length / 8) },
      (_, index) =>
        `/aggregate/hourly?metricTypes=${metrics.slice(8 * index, 8 * index + 8).join()}&${range}`,
    ),
    scores: spaces
      .filter(({ metricTypes }) => asArray(metricTypes).includes('electricity'))
      .map((space) => `/spaces/${asString(space['spaceUuid'])}/aggregate/performance/daily?${month}`),
    scoreBatch: `/aggregate/daily?metricTypes=performance&${month}`,
    largest: `/aggregate/hourly?metricTypes=${metrics.slice(0, 8).join()}&interval=PT15M&fromDateTime=${day(31)}&toDateTime=${day(0)}`,
  }
}

const agent = new Agent({ keepAlive: true })

/** Reads a path and returns the number of bytes of its body as they were sent. */
function read({ client, portico }: Demo, path: string, encoding = 'identity'): Promise<number> {
  const headers = {
    authorization: `Bearer ${client.token}`,
    siteid: client.siteId,
    'accept-encoding': encoding,
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const onResponse = (response: IncomingMessage): void => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.once('error', reject)
    response.once('end', () =>
      response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${response.statusCode}`)),
    )
  }
  get(`${portico.origin}/v2${path}`, { agent, headers }, onResponse).once('error', reject)
  return promise
}

async function compareTime(
  demo: Demo,
  label: string,
  batches: readonly string[],
  singles: readonly string[],
  isSmoke: boolean,
): Promise<Row> {
  const pids = [demo.portico.pid, ...(await listDatabasePids())]
  const readCpu = (): number => pids.reduce((sum, pid) => sum + readCpuSeconds(pid), 0)
  const readAll = async (paths: readonly string[], count: number): Promise<number> => {
    const before = readCpu()
    for (let round = 0; round < count; round += 1) for (const path of paths) await read(demo, path)
    return (readCpu() - before) / count
  }
  await readAll(singles, isSmoke ? 1 : 2)
  await readAll(batches, isSmoke ? 2 : 20)
  const ratios: number[] = []
  let [batchMs, singleMs] = [0, 0]
  for (let round = 0; round < (isSmoke ? 1 : 5); round += 1) {
    const single = await readAll(singles, isSmoke ? 1 : 6)
    const own = await readAll(batches, isSmoke ? 10 : 60)
    ratios.push(own / single)
    ;[batchMs, singleMs] = [own * 1000, single * 1000]
  }
  const share = median(ratios)
  return {
    label,
    value: times(share),
    ...atMost(isPostgres() ? MAX_SHARE.PostgreSQL : MAX_SHARE.embedded, share),
    detail: `${batchMs.toFixed(1)} ms of CPU against ${singleMs.toFixed(1)} ms`,
  }
}

/** The server of PostgreSQL, if the store is in one; its children serve the connections. */
async function listDatabasePids(): Promise<number[]> {
  if (!isPostgres()) return []
  const [row] = await on(databaseServer(), (sql) => sql.unsafe('SHOW data_directory'))
  const [pid] = readFileSync(`${asString(row?.['data_directory'])}/postmaster.pid`, 'utf8').split('\n')
  return [Number(pid)]
}

async function compareGzip(demo: Demo, batches: readonly string[], singles: readonly string[]): Promise<Row> {
  const countBytes = async (paths: readonly string[]): Promise<number> => {
    let bytes = 0
    for (const path of paths) bytes += await read(demo, path, 'gzip')
    return bytes
  }
  const [own, all] = [await countBytes(batches), await countBytes(singles)]
  return {
    label: 'bytes of the same requests with gzip, over single reads',
    value: times(own / all),
    ...atMost(0.6, own / all),
    detail: `${Math.round(own / 1024)} KB against ${Math.round(all / 1024)} KB`,
  }
}

async function measureMemory(demo: Demo, { singles, largest }: Requests): Promise<Row> {
  const { pid } = demo.portico
  for (const path of singles) await read(demo, path)
  await untilIdle(pid)
  const base = readResidentMb(pid)
  let most = base
  for (let round = 0; round < 3; round += 1) {
    const reading = read(demo, largest)
    const progress = { isDone: false }
    void reading.finally(() => (progress.isDone = true))
    while (!progress.isDone) {
      most = Math.max(most, readResidentMb(pid))
      await delay(20)
    }
    await reading
  }
  return {
    label: 'resident memory during a page of 100,000 points, above the server before',
    value: `${Math.round(most - base)} MB`,
    ...atMost(30, Math.max(1, most - base), ' MB'),
  }
}

/**
 * Single reads at a fixed rate, alone and while large pages are read one after another. An unrelated server that is read
 * at the same rate shows how much of the difference is the competition for processors, which no server can avoid.
 */
async function measureOthers(demo: Demo, { singles, largest }: Requests, isSmoke: boolean): Promise<Row> {
  const { client, portico } = demo
  const unrelated = await startStaticServer({ headers: { 'content-type': 'text/plain' }, body: 'hello\n' })
  const startReaderAt = (url: string): SteadyReader =>
    startReader({ url, token: client.token, siteUuid: client.siteId, perSecond: READS_A_SECOND })
  const [reader, control] = [startReaderAt(`${portico.origin}/v2`), startReaderAt(unrelated.url)]
  const [rounds, seconds] = isSmoke ? [1, 1] : [5, 6]
  const paths = Array.from(
    { length: seconds * READS_A_SECOND },
    (_, index) => singles[(index * 7) % singles.length] ?? '',
  )
  let pages = 0
  const readBesidePages = async (other: SteadyReader): Promise<number> => {
    const others = other.measureP99(paths)
    const progress = { isDone: false }
    void others.finally(() => (progress.isDone = true))
    while (!progress.isDone) {
      await read(demo, largest)
      pages += 1
    }
    return others
  }
  const alone: number[] = []
  const beside: number[] = []
  const controls: { alone: number; beside: number }[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await reader.measureP99(paths))
      beside.push(await readBesidePages(reader))
      controls.push({ alone: await control.measureP99(paths), beside: await readBesidePages(control) })
    }
  } finally {
    await Promise.all([reader.close(), control.close(), unrelated.stop()])
  }
  const controlMs = median(controls.map((one) => one.beside))
  const controlAloneMs = median(controls.map((one) => one.alone))
  const ratio = median(beside) / median(alone)
  return {
    label: 'p99 of single reads while pages of 100,000 points are read, over p99 without',
    value: ratio.toFixed(2),
    ...atMost(1.5, ratio),
    detail: `${median(beside).toFixed(1)} ms against ${median(alone).toFixed(1)} ms, ${pages} pages; an unrelated node:http server ${controlMs.toFixed(1)} ms against ${controlAloneMs.toFixed(1)} ms`,
  }
}
