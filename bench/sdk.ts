import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Portico, type PorticoOptions, type Site, yesterday } from '../packages/sdk/src/index.ts'
import type { DemoEnv } from '../acceptance/support/servers/demo-env.ts'
import { type Portico as Server, startPortico } from '../acceptance/support/servers/portico.ts'
import { demoToken } from '../acceptance/support/clients/requests.ts'
import { atLeast, atMost, type Benchmark, cost, type Row } from './benchmark.ts'
import { median } from './support/ratio.ts'
import { withTempFolder } from './support/temp-folder.ts'

const ROOT = join(import.meta.dirname, '..')

/** The SDK as published: its size, and its overhead over a program without it. */
export const sdk: Benchmark = {
  name: 'sdk',
  about:
    'The TypeScript SDK: the size of what `import { Portico }` loads, the time of that import, the processor time of a read over a hand-written `fetch` with the same token, and 331 reads that are started at once within the default rate limits.',
  async run({ isSmoke }) {
    const rows = await withTempFolder(async (folder) => {
      execFileSync(process.execPath, [join(ROOT, 'scripts/emit-sdk.ts'), folder], { stdio: 'inherit' })
      const entry = join(folder, 'dist/index.js')
      return [...measureSize(entry), measureImport(entry, isSmoke ? 1 : 15)]
    })
    // Without a limit, there would be no headers to read.
    const env = { LOG_LEVEL: 'error', RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_5_MINUTES: '1000000' }
    await using server = await startPortico({ env })
    rows.push(await measureRead(server, isSmoke ? 20 : 400))
    if (isSmoke) return [...rows, await measureBurst(server)]
    await using limited = await startPortico({ env: { LOG_LEVEL: 'error' } })
    return [...rows, await measureBurst(limited)]
  },
}

/** An entry and the modules that it imports. */
function findModules(entry: string, found = new Set<string>()): Set<string> {
  found.add(entry)
  for (const [, name = ''] of readFileSync(entry, 'utf8').matchAll(/(?:from|import)"(\.\/[^"]+)"/g)) {
    const module = join(entry, '..', name)
    if (!found.has(module)) findModules(module, found)
  }
  return found
}

function measureSize(entry: string): Row[] {
  const text = [...findModules(entry)].map((file) => readFileSync(file, 'utf8')).join('')
  const kilobytes = (bytes: number): number => bytes / 1000
  const [plain, zipped] = [kilobytes(Buffer.byteLength(text)), kilobytes(gzipSync(text, { level: 9 }).length)]
  return [
    { label: 'JavaScript', value: `${plain.toFixed(1)} kB`, ...atMost(40, plain, ' kB') },
    { label: 'JavaScript, gzipped', value: `${zipped.toFixed(1)} kB`, ...atMost(10, zipped, ' kB') },
  ]
}

function measureImport(entry: string, times: number): Row {
  const program = `const at = performance.now(); await import(${JSON.stringify(entry)}); console.log(performance.now() - at)`
  const once = (): number =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }))
  const ms = median(Array.from({ length: times }, once))
  return { label: 'time of the import', value: `${ms.toFixed(1)} ms`, ...atMost(15, ms, ' ms') }
}

const toOptions = (env: DemoEnv): PorticoOptions => ({
  baseUrl: env.PORTICO_BASE_URL,
  authUrl: env.PORTICO_AUTH_URL,
  clientId: env.PORTICO_CLIENT_ID,
  clientSecret: env.PORTICO_CLIENT_SECRET,
  siteId: env.PORTICO_SITE_ID,
  warnBeforeExpiry: false,
})

async function listPairs(site: Site): Promise<[spaceUuid: string, metric: 'electricity'][]> {
  const spaces = await site.spaces.list().toArray()
  return spaces.flatMap(({ spaceUuid, metricTypes }) =>
    metricTypes.map((metric): [string, 'electricity'] => [spaceUuid, metric as 'electricity']),
  )
}

async function measureRead({ demoEnv, ...server }: Server, calls: number): Promise<Row> {
  const site = new Portico(toOptions(demoEnv)).site()
  const pairs = await listPairs(site)
  const token = await demoToken({ demoEnv, ...server })
  const { from, to } = yesterday()
  const pick = (index: number): [string, string] => pairs[index % pairs.length] as [string, string]
  const throughSdk = (index: number): PromiseLike<unknown> => {
    const [space, metric] = pick(index)
    return site.spaces.hourly(space, metric as 'electricity', { from, to })
  }
  const byHand = async (index: number): Promise<unknown> => {
    const [space, metric] = pick(index)
    const url = `${demoEnv.BASE_URL}/spaces/${space}/aggregate/${metric}/hourly?fromDateTime=${from}&toDateTime=${to}`
    const headers = { authorization: `Bearer ${token}`, siteid: demoEnv.SITE_ID }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const ratios: number[] = []
  let [own, plain] = [0, 0]
  for (let round = 0; round < 5; round += 1) {
    plain = await cost(calls, byHand)
    own = await cost(calls, async (index) => throughSdk(index))
    ratios.push(own / plain)
  }
  const ratio = median(ratios)
  return {
    label: 'processor time of `site.spaces.hourly`, over a hand-written fetch',
    value: `${ratio.toFixed(2)} x`,
    ...atMost(1.1, ratio),
    detail: `${own.toFixed(0)} µs against ${plain.toFixed(0)} µs`,
  }
}

const BURST = 331

async function measureBurst({ demoEnv }: Server): Promise<Row> {
  const rejections = new Map<string, number>()
  const site = new Portico({
    ...toOptions(demoEnv),
    onResponse: ({ status, url }) => {
      if (status === 429) rejections.set(url, (rejections.get(url) ?? 0) + 1)
    },
  }).site()
  const pairs = await listPairs(site)
  const reads = Array.from({ length: BURST }, (_, index) => pairs[index % pairs.length] as (typeof pairs)[0])
  const startedAt = performance.now()
  const results = await Promise.allSettled(
    // The range distinguishes the requests.
    reads.map(async ([space, metric], index) =>
      site.spaces.hourly(space, metric, { from: new Date(Date.now() - 3_600_000 - 1000 * index) }),
    ),
  )
  const succeeded = results.filter(({ status }) => status === 'fulfilled').length
  const most = Math.max(0, ...rejections.values())
  return {
    label: `${BURST} reads that are started at once: those that succeed`,
    value: String(succeeded),
    ...atLeast(BURST, most > 1 ? 0 : succeeded),
    detail: `${((performance.now() - startedAt) / 1000).toFixed(0)} s; ${rejections.size} were rejected once, ${most > 1 ? 'some' : 'none'} twice`,
  }
}
