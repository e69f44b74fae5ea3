import { randomUUID } from 'node:crypto'
import { device, type InventoryDocument, space } from '../fixtures/small-site.ts'
import type { Reading } from '../clients/series.ts'
import type { MetricSpec, SeriesOfDevice, Stay } from './oracle.ts'
import { type Random, randomFrom } from './random.ts'
import { generateReadings, toMetricSpec } from './generate-readings.ts'
import type { ArrivalRecipe, DeviceRecipe, Recipe } from './recipe.ts'
import { listClockChanges } from './zones.ts'

const dayMs = 86_400_000
// A device with a long step or a long gap continues this long after the range.
const longestTailMs = 45 * dayMs

/** A device and all its readings. */
interface Member {
  deviceUuid: string
  metricType: string
  deviceType: string
  submeterOf?: string
  spec: MetricSpec
  stays: Stay[]
  recipe: DeviceRecipe
  readings: Reading[]
}

export interface Arrival {
  member: Member
  at: number
  value: number
}

/** A separate site, and everything that will arrive for it. */
export interface Scenario {
  recipe: Recipe
  timeZone: string
  siteUuid: string
  spaces: string[]
  /** The spaces that form a cluster. */
  cluster: string[]
  members: Member[]
  /** Documents to apply one after another: the first has every device at its initial place, each further one a move. */
  documents: InventoryDocument[]
  /** The day of the clock change. */
  middle: Temporal.PlainDate
  /** From the first to the last day with a reading. */
  days: { first: Temporal.PlainDate; last: Temporal.PlainDate }
  /** The batches, in order of arrival. */
  batches: { arrivals: Arrival[]; way: number }[]
}

const deviceTypes = {
  register: 'electricityMeter',
  delta: 'smartPlug',
  temperature: 'multiSensor',
  occupancy: 'occupancySensor',
} as const

export function makeScenario(recipe: Recipe, now: Temporal.Instant): Scenario {
  const { timeZone } = recipe
  // Far enough in the past that every month in a query is closed.
  const latest = now.subtract({ hours: 24 * 60 })
  const changed = clockChange(recipe, latest.subtract({ hours: 24 * recipe.daysAfter }))
  const from = changed - recipe.daysBefore * dayMs
  const to = changed + recipe.daysAfter * dayMs
  const siteUuid = randomUUID()
  const spaces = [randomUUID(), randomUUID(), randomUUID()]
  const cluster = spaces.slice(0, 2)
  const uuids = recipe.devices.map(() => randomUUID())
  const members = recipe.devices.map((one, index): Member => {
    const submeterOf = one.below === null ? undefined : uuids.slice(0, index)[one.below]
    const within = (share: number): number => Math.round(from + share * (to - from))
    return {
      deviceUuid: uuids[index] ?? '',
      metricType: toMetricSpec(one).kind === 'gauge' ? one.metric : 'electricity',
      deviceType:
        one.metric === 'temperature' && one.isCylinder ? 'hotWaterCylinder' : deviceTypes[one.metric],
      ...(submeterOf === undefined ? {} : { submeterOf }),
      spec: toMetricSpec(one),
      stays: planStays(one, spaces, one.moves.map(within)),
      recipe: one,
      readings: generateReadings(
        one,
        within(one.start),
        Math.min(to + longestTailMs, latest.epochMilliseconds),
      ),
    }
  })
  const instants = members.flatMap(({ readings }) => readings.map(({ at }) => at))
  const toLocalDate = (at: number): Temporal.PlainDate =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
  return {
    recipe,
    timeZone,
    siteUuid,
    spaces,
    cluster,
    members,
    documents: buildDocuments({ siteUuid, timeZone, spaces, cluster, members }),
    middle: toLocalDate(changed),
    days: { first: toLocalDate(Math.min(...instants)), last: toLocalDate(Math.max(...instants)) },
    batches: splitIntoBatches(members, recipe.arrival),
  }
}

/** The series of a scenario from what has arrived so far; the latest arrival for an instant counts. */
export function seriesAfter(world: Scenario, arrivals: readonly Arrival[]): SeriesOfDevice[] {
  return world.members.map((member) => {
    const newest = new Map(arrivals.filter((one) => one.member === member).map((one) => [one.at, one.value]))
    const readings = [...newest].map(([at, value]) => ({ at, value })).toSorted((a, b) => a.at - b.at)
    return { ...member, readings }
  })
}

function clockChange({ timeZone, change }: Recipe, notAfter: Temporal.Instant): number {
  const changes = listClockChanges(timeZone, notAfter)
  const one = changes[change % Math.max(1, changes.length)]
  // A zone without clock changes gets any instant of those years.
  return one?.epochMilliseconds ?? notAfter.epochMilliseconds - (change % (365 * 20)) * dayMs
}

function planStays({ space }: DeviceRecipe, spaces: string[], moves: number[]): Stay[] {
  const starts = [-Infinity, ...moves]
  return starts.map((from, index) => ({
    spaceUuid: spaces[(space + (index % 2)) % spaces.length] ?? '',
    from,
    to: starts[index + 1] ?? Infinity,
  }))
}

function buildDocuments(
  world: Pick<Scenario, 'siteUuid' | 'timeZone' | 'spaces' | 'cluster' | 'members'>,
): InventoryDocument[] {
  const buildingUuid = randomUUID()
  const flat = { clusterUuid: randomUUID(), clusterName: 'Flat' }
  const { siteUuid, timeZone, cluster, members } = world
  const last = Math.max(...members.map(({ stays }) => stays.length))
  return Array.from({ length: last }, (_, step) => ({
    site: { siteUuid, siteName: `History in ${timeZone}`, timeZone },
    buildings: [{ buildingUuid, buildingName: 'House' }],
    spaces: world.spaces.map((spaceUuid) =>
      space(spaceUuid, 'studio', { buildingUuid, ...(cluster.includes(spaceUuid) ? flat : {}) }),
    ),
    devices: members.map(({ deviceUuid, deviceType, submeterOf, metricType, spec, stays }) => {
      const stay = stays[Math.min(step, stays.length - 1)]
      const since = stay && Number.isFinite(stay.from) ? { since: new Date(stay.from).toISOString() } : {}
      return device(deviceUuid, deviceType, stay?.spaceUuid ?? '', {
        metrics: { [metricType]: { ...spec } },
        ...(submeterOf === undefined ? {} : { submeterOf }),
        ...since,
      })
    }),
  }))
}

function splitIntoBatches(members: Member[], recipe: ArrivalRecipe): Scenario['batches'] {
  const random = randomFrom(recipe.seed)
  const count = recipe.ways.length
  const batches = recipe.ways.map((way) => ({ arrivals: [] as Arrival[], way }))
  for (const member of members) {
    for (const [index, { at, value }] of ordered(member, random).entries()) {
      const own = batchFor(member, index, count, random)
      const add = (batch: number, sent: number): void => {
        batches[Math.min(batch, count - 1)]?.arrivals.push({ member, at, value: sent })
      }
      add(own, value)
      if (random.chance(recipe.duplicates)) add(own + random.below(2), value)
      if (random.chance(recipe.corrections)) add(own + random.below(count), corrected(member, value, random))
    }
  }
  // Readings that two devices send at the same time are interleaved; the order within each device is kept.
  return batches.map(({ arrivals, way }) => ({ way, arrivals: mixed(arrivals, random) }))
}

function ordered({ readings, recipe }: Member, random: Random): Reading[] {
  if (recipe.order === 'reversed') return readings.toReversed()
  return recipe.order === 'shuffled' ? random.shuffle(readings) : readings
}

/** If the scenario has a late part, the third quarter of the readings arrives last. */
function batchFor({ recipe, readings }: Member, index: number, count: number, random: Random): number {
  const share = index / readings.length
  if (recipe.order === 'late part' && share >= 0.5 && share < 0.75) return count - 1
  if (recipe.order === 'shuffled') return random.below(count)
  return Math.floor(share * count)
}

function corrected({ spec }: Member, value: number, random: Random): number {
  const changed = Math.round((value + random.next() * 4 - 1) * 1000) / 1000
  return spec.kind !== 'gauge' ? Math.max(0, Math.min(changed, 999)) : changed
}

function mixed(arrivals: Arrival[], random: Random): Arrival[] {
  const queues = [...Map.groupBy(arrivals, ({ member }) => member).values()].map((queue) =>
    queue.toReversed(),
  )
  const result: Arrival[] = []
  while (result.length < arrivals.length) {
    const next = random.pick(queues.filter((queue) => queue.length > 0)).pop()
    if (next) result.push(next)
  }
  return result
}
