import assert from 'node:assert/strict'
import { getReadings, getSeries, type Reading } from '../clients/series.ts'
import { query } from '../clients/v2-client.ts'
import type { JsonObject } from '../json.ts'
import { compareWithSingles } from '../oracles/batch.ts'
import type { Interval } from '../oracles/windows.ts'
import { assertAddUp, compareWindows, type Place } from './compare.ts'
import type { Days } from './edges.ts'
import { startOfDate } from './edges.ts'
import type { SeriesOfDevice } from './oracle.ts'
import type { Random } from './random.ts'
import { aloneIn, type Target, listTargets } from './targets.ts'
import type { Scenario } from './scenario.ts'

/** The days around the clock change: short enough for quarter-hour windows. */
const around = ({ middle }: Scenario): Days => ({
  first: middle.subtract({ days: 1 }),
  end: middle.add({ days: 2 }),
})

/** All days, extended to whole weeks and months. */
function everything({ days }: Scenario): Days {
  const first = days.first.subtract({ days: 1 })
  const end = days.last.add({ days: 2 })
  return { first: first.with({ day: 1 }).subtract({ days: 6 }), end: end.add({ months: 1 }).with({ day: 7 }) }
}

/** Compares every series of a scenario with what has arrived. */
export async function verifyAll(
  place: Place,
  world: Scenario,
  series: readonly SeriesOfDevice[],
  random: Random,
): Promise<void> {
  for (const target of listTargets(world, series)) {
    await verifyTarget(place, world, target)
    await verifyAnyDay(place, world, target, random)
  }
  for (const one of series) await verifyReadings(place, world, one)
  await verifyBatches(place, world)
  for (const alone of aloneIn(world, series)) await verifyAlone(place, world, alone)
}

/** Compares a few series, between two batches. */
export async function verifySample(
  place: Place,
  world: Scenario,
  series: readonly SeriesOfDevice[],
  random: Random,
): Promise<void> {
  for (const target of listTargets(world, series)) {
    const [fine, coarse] = [random.pick(['PT15M', 'PT30M', 'PT1H'] as const), random.pick(coarseIntervals)]
    await compareWindows(place, target, fine, around(world))
    await compareWindows(place, target, coarse, everything(world))
  }
}

const coarseIntervals = ['P1D', 'P1W', 'P1M'] as const

async function verifyTarget(place: Place, world: Scenario, target: Target): Promise<void> {
  const ask = (interval: Interval, days: Days) => compareWindows(place, target, interval, days)
  const quarters = await ask('PT15M', around(world))
  const halves = await ask('PT30M', around(world))
  const hours = await ask('PT1H', around(world))
  const days = await ask('P1D', everything(world))
  const weeks = await ask('P1W', everything(world))
  const months = await ask('P1M', everything(world))
  if (target.isGauge) return
  const nested = [
    [quarters, halves],
    [quarters, hours],
    [halves, hours],
    [hours, days],
    [days, weeks],
    [days, months],
  ] as const
  for (const [finer, coarser] of nested) assertAddUp(target, finer, coarser)
}

/** Asserts that batch reads have the values of single reads, to the byte, for spaces, devices and the cluster. */
async function verifyBatches({ client }: Place, world: Scenario): Promise<void> {
  const [first] = world.cluster
  const metricTypes = [...new Set(world.members.map(({ metricType }) => metricType)), 'carbon'].join()
  for (const interval of ['PT15M', 'PT1H', 'P1D', 'P1M'] as const) {
    const granularity = interval.startsWith('PT') ? 'hourly' : 'daily'
    const days = granularity === 'hourly' ? around(world) : everything(world)
    const range = { fromDateTime: days.first.toString(), toDateTime: days.end.toString() }
    const params = { metricTypes, interval, ...range }
    await compareWithSingles(client, '/aggregate', granularity, params)
    await compareWithSingles(client, '/consumption', granularity, params)
    const toPath = (series: JsonObject): string =>
      `/spaces/${first}/aggregate/${String(series['metricType'])}/${granularity}${query({ interval, scope: 'cluster', ...range })}`
    await compareWithSingles(client, '/aggregate', granularity, { ...params, groupBy: 'cluster' }, toPath)
  }
}

/** Some days anywhere in the range, in hourly windows. */
async function verifyAnyDay(place: Place, world: Scenario, target: Target, random: Random): Promise<void> {
  const { first, last } = world.days
  const day = first.add({ days: random.below(first.until(last).days + 1) })
  await compareWindows(place, target, 'PT1H', { first: day, end: day.add({ days: 4 }) })
}

/** Asserts that the readings around the clock change are those that arrived, in order and bit by bit. */
async function verifyReadings({ client }: Place, world: Scenario, series: SeriesOfDevice): Promise<void> {
  const { first, end } = around(world)
  const range = { fromDateTime: first.toString(), toDateTime: end.toString() }
  const shown = await getReadings(client, series.deviceUuid, series.metricType, range)
  const [from, to] = [startOfDate(first, world.timeZone), startOfDate(end, world.timeZone)]
  // Whether milliseconds are shown is tested in exactness.test.ts.
  const bySecond = ({ at, value }: Reading): Reading => ({ at: Math.floor(at / 1000), value })
  assert.deepEqual(
    shown.map(bySecond),
    series.readings.filter(({ at }) => at >= from && at < to).map(bySecond),
    `the readings of ${series.deviceUuid}`,
  )
}

/** Asserts that a device that is alone in its space has the same values as the space. */
async function verifyAlone(
  { client }: Place,
  world: Scenario,
  { device, spaceUuid }: { device: SeriesOfDevice; spaceUuid: string },
): Promise<void> {
  const { deviceUuid, metricType } = device
  const { first, end } = around(world)
  const range = { fromDateTime: first.toString(), toDateTime: end.toString(), interval: 'PT30M' }
  const space = await getSeries(client, `/spaces/${spaceUuid}/aggregate/${metricType}/hourly`, range)
  const alone = await getSeries(client, `/devices/${deviceUuid}/consumption/${metricType}`, range)
  assert.deepEqual(space.points, alone.points, `${deviceUuid} alone in ${spaceUuid}`)
}

/** Some paths of a scenario, with every interval. */
export function listAddresses(world: Scenario, series: readonly SeriesOfDevice[]): string[] {
  return listTargets(world, series).flatMap((target) =>
    (['PT15M', 'PT1H', 'P1D', 'P1M'] as const).map((interval) => {
      const { first, end } = interval.startsWith('PT') ? around(world) : everything(world)
      const range = { ...target.params, interval, fromDateTime: first.toString(), toDateTime: end.toString() }
      return `${target.path(interval)}${query(range)}`
    }),
  )
}
