import type { SeriesOfDevice, Stay } from './oracle.ts'

export interface Span {
  from: number
  to: number
}

/**
 * The parts of a device's stays in some spaces in which it counts there: a gauge if it measures the air, a meter while
 * no meter above it is in one of the spaces. Between two moves nothing changes, so each such part is decided alone.
 */
export function listCountedStays(
  series: SeriesOfDevice,
  all: readonly SeriesOfDevice[],
  spaceUuids: readonly string[],
): Span[] {
  if (!measuresAir(series)) return []
  const above = series.spec.kind === 'gauge' ? [] : listAbove(series, all)
  const isInSum = (stay: Stay): boolean => spaceUuids.includes(stay.spaceUuid)
  const same = above.filter(({ metricType }) => metricType === series.metricType)
  const covering = same.flatMap(({ stays }) => stays.filter(isInSum))
  const moves = covering.flatMap(({ from, to }) => [from, to])
  return series.stays.filter(isInSum).flatMap((stay) => {
    const inside = moves.filter((at) => at > stay.from && at < stay.to)
    const edges = [...new Set([stay.from, ...inside, stay.to])].toSorted((a, b) => a - b)
    const parts: Span[] = []
    for (const [index, to] of edges.slice(1).entries()) {
      const from = edges[index] ?? Number.NaN
      if (covering.some((other) => other.from < to && other.to > from)) continue
      const last = parts.at(-1)
      if (last?.to === from) last.to = to
      else parts.push({ from, to })
    }
    return parts
  })
}

export function measuresAir({ deviceType, spec }: SeriesOfDevice): boolean {
  if (spec.kind !== 'gauge') return true
  return (spec.of ?? (deviceType === 'hotWaterCylinder' ? 'water' : 'air')) === 'air'
}

function listAbove(series: SeriesOfDevice, all: readonly SeriesOfDevice[]): SeriesOfDevice[] {
  const parent = all.find(({ deviceUuid }) => deviceUuid === series.submeterOf)
  return parent ? [parent, ...listAbove(parent, all)] : []
}
