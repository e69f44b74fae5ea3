import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { database as parseDatabase } from '@portico/server/config/values'
import { openStore } from '@portico/server/store/open'
import { atMost, type Benchmark, type Row } from './benchmark.ts'
import { addReadings, applyResidence } from './support/fill.ts'
import { type Installation, startInstallation } from './support/installation.ts'
import { median } from './support/ratio.ts'
import { DAY_MS, makeResidence, type Residence, STEP_MS } from './support/residence.ts'
import { withTempFolder } from './support/temp-folder.ts'
import { readCpuSeconds, readResidentMb, untilIdle } from './support/usage.ts'

/** How much larger the large estate is. */
const FACTOR = 10
/** Growth in excess of the factor that still counts as linear. */
const LINEAR = 1.1
const ROOMS_A_SITE = 50
const READ_SITES = 40
/** Half-hourly readings of the first room of each site: it is the estate that is large, not its history. */
const READINGS = 48

/** The costs of an estate, in seconds of processor time and in MB. */
interface Costs {
  start: number
  idleMb: number
  /** A minute of an idle server. */
  minute: number
  firstRead: number
}

export const scale: Benchmark = {
  name: 'scale',
  about:
    'What a server costs with ten times as many sites, and with ten times as many devices in one site: processor time relative to the small estate, divided by ten. Each room has a meter and a sensor with four metrics each.',
  async run({ isSmoke }) {
    const [fewSites, fewRooms] = isSmoke ? [2, 20] : [50, 1_000]
    return [...(await compareSites(fewSites, isSmoke)), ...(await compareDevices(fewRooms, isSmoke ? 2 : 3))]
  },
}

async function compareSites(fewSites: number, isSmoke: boolean): Promise<Row[]> {
  const seconds = isSmoke ? 1 : 60
  const few = await measureSites(fewSites, seconds)
  const many = await measureSites(fewSites * FACTOR, seconds)
  const name = `${fewSites * FACTOR} sites of ${2 * ROOMS_A_SITE} devices`
  const kilobytes = ((many.idleMb - few.idleMb) / (fewSites * (FACTOR - 1))) * 1000
  return [
    linear(`start with ${name}`, few.start, many.start),
    linear(`a minute of the idle server with ${name}`, few.minute, many.minute),
    linear(`first read of a site among ${name}`, few.firstRead, many.firstRead),
    {
      label: `resident memory of the idle server with ${name}`,
      value: `${Math.round(many.idleMb)} MB, ${Math.round(kilobytes)} kB for each site`,
      detail: `${fewSites} sites ${Math.round(few.idleMb)} MB`,
    },
  ]
}

const measureSites = (count: number, idleSeconds: number): Promise<Costs> =>
  withTempFolder(async (folder) => {
    const residences = Array.from({ length: count }, () => makeResidence(ROOMS_A_SITE))
    await fill(folder, residences)
    return withInstallation(folder, async (installation) => {
      const start = readCpuSeconds(installation.pid)
      // Within a minute, every site is observed for the first time.
      await delay(idleSeconds * 1000)
      await untilIdle(installation.pid)
      const idleMb = readResidentMb(installation.pid)
      const before = readCpuSeconds(installation.pid)
      await delay(idleSeconds * 1000)
      const minute = ((readCpuSeconds(installation.pid) - before) / idleSeconds) * 60
      return { start, idleMb, minute, firstRead: await firstRead(installation, residences) }
    })
  })

/**
 * Average processor time of the first read of a site since the start. The first site also pays for shared
 * initialisation.
 */
async function firstRead(installation: Installation, residences: readonly Residence[]): Promise<number> {
  const reads: (() => Promise<void>)[] = []
  for (const residence of residences.slice(0, READ_SITES))
    reads.push(await prepareRead(installation, residence))
  const [first, ...others] = reads
  await first?.()
  const before = readCpuSeconds(installation.pid)
  for (const read of others) await read()
  return (readCpuSeconds(installation.pid) - before) / others.length
}

async function prepareRead(
  { url, addPartner, tokenFor }: Installation,
  { siteUuid, spaceUuids }: Residence,
): Promise<() => Promise<void>> {
  const authorization = `Bearer ${await tokenFor(await addPartner(siteUuid))}`
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const range = `fromDateTime=${new Date(to - DAY_MS).toISOString()}&toDateTime=${new Date(to).toISOString()}`
  return async () => {
    const path = `/v2/spaces/${spaceUuids[0]}/aggregate/electricity/hourly?${range}`
    const response = await fetch(`${url}${path}`, { headers: { authorization, siteid: siteUuid } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
  }
}

async function compareDevices(fewRooms: number, rounds: number): Promise<Row[]> {
  const few = await measureDevices(fewRooms, rounds)
  const many = await measureDevices(fewRooms * FACTOR, rounds)
  const name = `${(2 * fewRooms * FACTOR).toLocaleString('en')} devices`
  return [
    linear(`apply an inventory of ${name}`, few.applied, many.applied),
    linear('apply it again, unchanged', few.unchanged, many.unchanged),
    linear(`start with a site of ${name}`, few.start, many.start),
    linear(`first read of a site of ${name}`, few.firstRead, many.firstRead),
  ]
}

const measureDevices = (rooms: number, rounds: number) =>
  withTempFolder(async (folder) => {
    const residences = Array.from({ length: rounds }, () => makeResidence(rooms))
    const [applied, unchanged]: [number[], number[]] = [[], []]
    await withInstallation(folder, async ({ pid, applyInventory }) => {
      for (const { document } of residences)
        for (const used of [applied, unchanged]) {
          await untilIdle(pid)
          const before = readCpuSeconds(pid)
          await applyInventory(document)
          used.push(readCpuSeconds(pid) - before)
        }
    })
    return withInstallation(folder, async (installation) => {
      const start = readCpuSeconds(installation.pid)
      await untilIdle(installation.pid)
      return {
        applied: median(applied),
        unchanged: median(unchanged),
        start,
        firstRead: await firstRead(installation, residences),
      }
    })
  })

async function fill(folder: string, residences: readonly Residence[]): Promise<void> {
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const store = openStore({
    database: parseDatabase(`sqlite:${join(data, 'portico.db')}`),
    rawRetentionMs: undefined,
  })
  const from = Math.floor(Date.now() / DAY_MS) * DAY_MS - READINGS * STEP_MS
  try {
    await store.migrate()
    for (const residence of residences) {
      const series = (await applyResidence(store, residence)).filter(({ room }) => room === 0)
      await addReadings(store, residence, series, { from, count: READINGS })
    }
    await store.runMaintenance()
  } finally {
    await store.close()
  }
}

async function withInstallation<T>(
  folder: string,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await startInstallation(folder)
  try {
    return await work(installation)
  } finally {
    await installation.stop()
  }
}

/** A cost that may grow in proportion to the estate, but not faster. */
const linear = (label: string, few: number, many: number): Row => {
  const ratio = many / (few * FACTOR)
  return {
    label,
    value: ratio.toFixed(2),
    ...atMost(LINEAR, ratio),
    detail: `${milliseconds(many)} of processor time; the small estate ${milliseconds(few)}`,
  }
}

const milliseconds = (seconds: number): string => `${Math.round(seconds * 1000).toLocaleString('en')} ms`
