import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { forEachInChunks } from '../../../kernel/concurrency.ts'
import { countsAsUse, isMeasured, type MetricName, UTILITIES } from '../../metric/catalogue.ts'
import { compareWithPeers } from '../series/compare.ts'
import { MIN_PEERS } from './performance.ts'
import { median } from '../../../kernel/statistics.ts'
import { toValue } from '../series/columns.ts'
import type { SeriesService } from '../series/service.ts'

export interface Rank {
  /** 1 used the least; null when there are too few to stay anonymous among, or nothing was measured. */
  position: number | null
  /** Share of the peers that used as much or less, in per cent. */
  percentile: number | null
  /** The site's spaces of the same type that have a figure, the space itself included. */
  peers: number
}

export interface UtilityRank extends Rank {
  metricType: MetricName
  value: number | null
}

/** Where a figure stands among those of its peers, its own included. */
export function rankAmong(current: number | null, all: readonly (number | null)[]): Rank {
  const known = all.filter((value) => value !== null)
  const peers = known.length
  if (current === null || peers < MIN_PEERS) return { position: null, percentile: null, peers }
  return {
    position: 1 + known.filter((value) => value < current).length,
    percentile: compareWithPeers(current, known).percentile ?? null,
    peers,
  }
}

/**
 * What a space used of each utility in a stretch of time, against the site's spaces of its type. Over all utilities the
 * spaces are ordered by what they used relative to the middle of their peers, on average.
 */
export async function rankSpace(
  aggregate: SeriesService,
  model: SiteModel,
  space: SpaceRecord,
  span: { from: number; to: number },
): Promise<{ overall: Rank; utilities: UtilityRank[] }> {
  const peers = [...model.spaces.values()].filter(({ spaceType }) => spaceType === space.spaceType)
  const place = peers.findIndex(({ spaceUuid }) => spaceUuid === space.spaceUuid)
  const current = model.listMetrics(space.spaceUuid)
  const ever = model.everMeasuredIn(space.spaceUuid)
  const utilities: UtilityRank[] = []
  const relative: number[][] = peers.map(() => [])
  for (const metricType of UTILITIES.filter((metric) => ever.includes(metric))) {
    const uses = await readUses(aggregate, model, peers, metricType, span)
    const value = uses[place] ?? null
    // A meter that left before is no part of this.
    if (value === null && !current.includes(metricType)) continue
    utilities.push({ metricType, value, ...rankAmong(value, uses) })
    // What a roof made is no use to be saved.
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
  return { overall: rankAmong(overall[place] ?? null, overall), utilities }
}

async function readUses(
  aggregate: SeriesService,
  model: SiteModel,
  peers: readonly SpaceRecord[],
  metric: MetricName,
  span: { from: number; to: number },
): Promise<(number | null)[]> {
  const uses: (number | null)[] = peers.map(() => null)
  if (!isMeasured(metric)) return uses
  await forEachInChunks(
    peers,
    aggregate.concurrency,
    (peer) => aggregate.consumption(model, [peer], metric, [span]),
    ([use], _peer, index) => {
      uses[index] = toValue(use)
    },
  )
  return uses
}
