import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { forEachInChunks } from '../../../kernel/concurrency.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { countsAsUse, type MeasuredMetric } from '../../metric/catalogue.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { DerivedSource } from '../series/derived-series.ts'
import { MIN_PEERS } from './performance.ts'
import { median } from '../../../kernel/statistics.ts'

/** Days scored in one step. Bounds the day values of each peer in memory. */
export const DAYS_PER_STEP = 366

/** Utilities that a space is scored on. Solar generation is not consumption and has no score. */
export const scoredMetrics = ({ everMeasuredIn }: SiteModel, { spaceUuid }: SpaceRecord): MeasuredMetric[] =>
  everMeasuredIn(spaceUuid).filter((metric): metric is MeasuredMetric & typeof metric => countsAsUse(metric))

/** Day values of the spaces of one type, and their median on each day. */
export interface PeerDays {
  /** By space; a space that never measured the metric is absent. Valid until the buffer is reused. */
  values: ReadonlyMap<SpaceRecord, Float64Array>
  /** NaN on days on which too few spaces measured anything. */
  baselines: Float64Array
}

/** Reads the day values of all spaces of a type and computes their baselines. */
export async function readPeerDays(
  { model, concurrency, dayValues }: DerivedSource,
  spaceType: SpaceRecord['spaceType'],
  metric: MeasuredMetric,
  span: TimeSpan,
  days: readonly TimeSpan[],
  memory: (length: number) => Float64Array,
): Promise<PeerDays> {
  // A space that has been archived since was a peer while it existed.
  const peers = [...model.spaces.values(), ...model.archivedSpaces].filter(
    (peer) => peer.spaceType === spaceType && model.placedSeries(peer.spaceUuid, metric).length > 0,
  )
  const table = memory(peers.length * days.length)
  const values = new Map<SpaceRecord, Float64Array>()
  await forEachInChunks(
    peers,
    concurrency,
    (peer) => dayValues(peer, metric, span, days),
    (ofPeer, peer, index) => {
      const own = table.subarray(index * days.length, (index + 1) * days.length)
      own.set(ofPeer)
      values.set(peer, own)
    },
  )
  const baselines = new Float64Array(days.length)
  for (const day of days.keys()) {
    baselines[day] = peerBaseline(values.values(), day)
    await yieldIfDue()
  }
  return { values, baselines }
}

/** The median of the peers that measured something that day. */
function peerBaseline(peers: Iterable<Float64Array>, day: number): number {
  const measured: number[] = []
  for (const values of peers) {
    const value = values[day] ?? Number.NaN
    if (!Number.isNaN(value)) measured.push(value)
  }
  return measured.length < MIN_PEERS ? Number.NaN : (median(measured) ?? Number.NaN)
}
