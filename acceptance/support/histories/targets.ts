import type { Interval } from '../oracles/windows.ts'
import { measuresAir } from './counted-stays.ts'
import { type Expected, type SeriesOfDevice, windowsOfDevice, windowsOfSpaces } from './oracle.ts'
import type { Scenario } from './scenario.ts'

/** A device or space whose windows can be requested. */
export interface Target {
  name: string
  kind: 'device' | 'space' | 'cluster'
  metricType: string
  isGauge: boolean
  /**
   * Deltas, or a register that was reset, with more decimals than are shown: each window is rounded separately, so the
   * sum of several is off by as much.
   */
  hasLongDecimals: boolean
  path(interval: Interval): string
  /** Query parameters other than the range. */
  params: Record<string, string>
  expect(edges: readonly number[]): Expected[]
}

/** Every device, and every space and the cluster with every metric that was ever measured in them. */
export function listTargets(world: Scenario, series: readonly SeriesOfDevice[]): Target[] {
  return [
    ...series.map(deviceTarget),
    ...world.spaces.flatMap((space) => spaceTargets('space', [space], series)),
    ...spaceTargets('cluster', world.cluster, series),
  ]
}

function isLong({ spec, readings }: SeriesOfDevice): boolean {
  if (readings.every(({ value }) => Number(value.toFixed(6)) === value)) return false
  return (
    spec.kind === 'delta' || readings.some(({ value }, index) => value < (readings[index - 1]?.value ?? 0))
  )
}

function deviceTarget(one: SeriesOfDevice): Target {
  const { deviceUuid, metricType, spec } = one
  return {
    name: `device ${deviceUuid} ${metricType} ${JSON.stringify(spec)}`,
    kind: 'device',
    metricType,
    isGauge: spec.kind === 'gauge',
    hasLongDecimals: isLong(one),
    path: () => `/devices/${deviceUuid}/consumption/${metricType}`,
    params: {},
    expect: (edges) => windowsOfDevice(one, edges),
  }
}

function spaceTargets(
  kind: 'space' | 'cluster',
  spaceUuids: readonly string[],
  series: readonly SeriesOfDevice[],
): Target[] {
  const here = series.filter(({ stays }) => stays.some((stay) => spaceUuids.includes(stay.spaceUuid)))
  return [...Map.groupBy(here, ({ metricType }) => metricType)].map(([metricType, devices]) => ({
    name: `${kind} ${spaceUuids.join()} ${metricType} of ${devices.map(({ deviceUuid }) => deviceUuid).join()}`,
    kind,
    metricType,
    isGauge: devices.every(({ spec }) => spec.kind === 'gauge'),
    hasLongDecimals: devices.some(isLong),
    path: (interval) =>
      `/spaces/${spaceUuids[0]}/aggregate/${metricType}/${interval.startsWith('PT') ? 'hourly' : 'daily'}`,
    params: { scope: kind },
    expect: (edges) => windowsOfSpaces(series, metricType, spaceUuids, edges),
  }))
}

/** Devices that are the only source of their metric in a space and never left it, with that space. */
export function aloneIn(
  world: Scenario,
  series: readonly SeriesOfDevice[],
): { device: SeriesOfDevice; spaceUuid: string }[] {
  return world.spaces.flatMap((spaceUuid) => {
    const here = series.filter(({ stays }) => stays.some((stay) => stay.spaceUuid === spaceUuid))
    return here
      .filter(({ metricType, stays }) => {
        const same = here.filter((other) => other.metricType === metricType)
        return stays.length === 1 && same.length === 1
      })
      .filter(measuresAir)
      .map((device) => ({ device, spaceUuid }))
  })
}
