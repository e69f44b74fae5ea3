import type { Windows } from '../../../calendar/interval.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { forEachInChunks } from '../../../kernel/concurrency.ts'
import { countsAsUse, isMeasured, type MetricName, UTILITIES } from '../../metric/catalogue.ts'
import { round6 } from '../reading/window-value.ts'
import { computePercentile } from '../series/compare.ts'
import { findPeers } from '../series/scope.ts'
import { MIN_PEERS } from './performance.ts'
import { median } from '../../../kernel/statistics.ts'
import type { SeriesService } from '../series/service.ts'

export interface Rank {
  /** 1 is the lowest consumption; null if there are too few peers for anonymity, or nothing was measured. */
  position: number | null
  /** Percentage of the peers that used as much or less. */
  percentile: number | null
  /** Number of the site's spaces of the same type with a value, including the space itself. */
  peers: number
}

export interface UtilityRank extends Rank {
  metricType: MetricName
  value: number | null
}

/** The rank of a value among those of its peers, itself included. */
export function rankAmong(current: number | null, all: readonly (number | null)[]): Rank {
  const values = all.filter((value) => value !== null)
  const peers = values.length
  if (current === null || peers < MIN_PEERS) return { position: null, percentile: null, peers }
  return {
    position: 1 + values.filter((value) => value < current).length,
    percentile: computePercentile(current, values),
    peers,
  }
}

/**
 * Ranks a space's consumption of each utility on some days among the site's spaces of its type, without suspect days.
 * Over all utilities, spaces are ordered by their consumption relative to the median of their peers, averaged over the
 * utilities.
 */
export async function rankSpace(
  aggregate: SeriesService,
  model: SiteModel,
  space: SpaceRecord,
  days: Windows,
): Promise<{ overall: Rank; utilities: UtilityRank[] }> {
  const peers = findPeers({ model, space })
  const ownIndex = peers.findIndex(({ spaceUuid }) => spaceUuid === space.spaceUuid)
  const current = model.listMetrics(space.spaceUuid)
  const ever = model.everMeasuredIn(space.spaceUuid)
  const utilities: UtilityRank[] = []
  const relative: number[][] = peers.map(() => [])
  for (const metricType of UTILITIES.filter((metric) => ever.includes(metric))) {
    const uses = await readUses(aggregate, model, peers, metricType, days)
    const value = uses[ownIndex] ?? null
    // The space no longer measures this utility and has no value for it.
    if (value === null && !current.includes(metricType)) continue
    utilities.push({ metricType, value, ...rankAmong(value, uses) })
    // Solar generation is not consumption.
    if (!countsAsUse(metricType)) continue
    const middle = median(uses.filter((use) => use !== null))
    if (middle === null || middle <= 0) continue
    uses.forEach((use, index) => {
      if (use !== null) relative[index]?.push(use / middle)
    })
  }
  const overall = relative.map((shares) =>
    shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length,
  )
  return { overall: rankAmong(overall[ownIndex] ?? null, overall), utilities }
}

async function readUses(
  aggregate: SeriesService,
  model: SiteModel,
  peers: readonly SpaceRecord[],
  metric: MetricName,
  days: Windows,
): Promise<(number | null)[]> {
  const uses: (number | null)[] = peers.map(() => null)
  if (!isMeasured(metric)) return uses
  await forEachInChunks(
    peers,
    aggregate.concurrency,
    (peer) => aggregate.dayValues(model, [peer], metric, days),
    (values, _peer, index) => {
      const measured = values.filter((value) => !Number.isNaN(value))
      if (measured.length > 0) uses[index] = round6(measured.reduce((sum, value) => sum + value, 0))
    },
  )
  return uses
}
