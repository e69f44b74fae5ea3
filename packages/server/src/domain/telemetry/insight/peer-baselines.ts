import { forEachInChunks } from '../../../kernel/concurrency.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { DerivedSource } from '../series/derived-series.ts'
import type { SpaceSets } from '../series/scope.ts'
import { MIN_PEERS } from './performance.ts'
import { median } from '../../../kernel/statistics.ts'

/** Days scored in one step. Bounds the day values of each peer in memory. */
export const DAYS_PER_STEP = 366

/** Day values of peers, and their median on each day. */
export interface PeerDays {
  /** By the key of the peer; one that never measured the metric is absent. Valid until the buffer is reused. */
  values: ReadonlyMap<string, Float64Array>
  /** NaN on days on which too few spaces measured anything. */
  baselines: Float64Array
}

/** Reads the day values of all peers and computes their baselines. */
export async function readPeerDays(
  { model, concurrency, dayValues }: DerivedSource,
  sets: SpaceSets,
  metric: MeasuredMetric,
  span: TimeSpan,
  days: readonly TimeSpan[],
  memory: (length: number) => Float64Array,
): Promise<PeerDays> {
  const peers = [...sets].filter(([, spaces]) =>
    spaces.some(({ spaceUuid }) => model.placedSeries(spaceUuid, metric).length > 0),
  )
  const table = memory(peers.length * days.length)
  const values = new Map<string, Float64Array>()
  await forEachInChunks(
    peers,
    concurrency,
    ([, spaces]) => dayValues(spaces, metric, span, days),
    (ofPeer, [key], index) => {
      const own = table.subarray(index * days.length, (index + 1) * days.length)
      own.set(ofPeer)
      values.set(key, own)
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
