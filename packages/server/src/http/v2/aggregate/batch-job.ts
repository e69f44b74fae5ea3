import type { Interval } from '../../../calendar/window-edges.ts'
import type { Granularity, MetricName } from '../../../domain/metric/catalogue.ts'
import type { Representation } from '../../pipeline/reply.ts'
import type { DeviceFilters } from './select-devices.ts'
import type { SpaceBatchFilters } from './select-spaces.ts'

/** The subjects of a batch: spaces, groups or devices. */
export type BatchRequest =
  | { of: 'spaces'; filters: SpaceBatchFilters }
  | { of: 'devices'; filters: DeviceFilters }

/** A page of a batch, in a form that another thread can compute. */
export interface BatchJob {
  siteUuid: string
  request: BatchRequest
  granularity: Granularity
  interval: Interval
  /** The edges of the windows. */
  edges: readonly number[]
  /** The series of the page, in order. */
  series: readonly { id: string; metrics: readonly MetricName[] }[]
  /** Whether the client revalidates an earlier response. */
  isPolled: boolean
  type: Representation
  /** The fields before the timestamps. */
  head: Readonly<Record<string, string>>
  /** The name of the identifiers, such as `spaceUuid`. */
  idName: string
  pagination: { nextCursor: string | null; hasMore: boolean }
}
