import { Call } from './call.ts'
import type { Range } from './dates.ts'
import type { Answer, CallOptions, Query, Send } from './send.ts'
import { SiteCalls } from './site-calls.ts'
import type {
  DeviceColumns,
  DeviceSeriesBatch,
  ListDevicesDailyQuery,
  ListDevicesHourlyQuery,
  ListSpacesDailyQuery,
  ListSpacesHourlyQuery,
  MetricName,
  Point,
  SpaceColumns,
  SpaceSeriesBatch,
} from './types.ts'

export type Group = NonNullable<ListSpacesHourlyQuery['groupBy']>

type Batched<Q> = Omit<
  Q,
  'metricTypes' | 'spaceUuids' | 'deviceUuids' | 'fromDateTime' | 'toDateTime' | 'groupBy'
> &
  Range & {
    /** 1 to 8 metrics. */
    metricTypes: readonly MetricName[]
  }

interface InGroups<G extends Group> {
  /** At most 200; all spaces if absent. */
  spaceUuids?: readonly string[] | undefined
  groupBy?: G | undefined
}

interface OfDevices {
  /** At most 200; all devices if absent. */
  deviceUuids?: readonly string[] | undefined
}

export type HourlyBatchQuery<G extends Group> = Batched<ListSpacesHourlyQuery> & InGroups<G>
export type DailyBatchQuery<G extends Group> = Batched<ListSpacesDailyQuery> & InGroups<G>
export type DeviceHourlyBatchQuery = Batched<ListDevicesHourlyQuery> & OfDevices
export type DeviceDailyBatchQuery = Batched<ListDevicesDailyQuery> & OfDevices

type Columns = SpaceColumns | DeviceColumns
type ColumnNames = 'values' | 'min' | 'max' | 'quality' | 'coverage' | 'components'
type Identifiers = 'spaceUuid' | 'clusterUuid' | 'buildingUuid' | 'siteUuid' | 'deviceUuid'

/** One series of a batch with its windows, and the identifier of its group: `spaceUuid`, `buildingUuid` and so on. */
export type BatchRow<G extends Group | 'device'> = Omit<Columns, ColumnNames | Identifiers> & {
  [K in `${G}Uuid`]: string
} & { points: Point[] }

export type Batch<B, G extends Group | 'device'> = B & {
  /** The series one by one, with their columns as windows. */
  rows(): Generator<BatchRow<G>, void, undefined>
}

type SpaceBatch<G extends Group> = Batch<SpaceSeriesBatch, G>
type DeviceBatch = Batch<DeviceSeriesBatch, 'device'>

class Batches extends SiteCalls {
  protected readBatch<B extends AnyBatch, G extends Group | 'device'>(
    path: string,
    query: object,
    options: CallOptions | undefined,
  ): Call<Batch<B, G>> {
    return new Call(readBatch<B, G>(this.send, this.siteUuid, path, query, options))
  }
}

/** Series of many spaces, clusters, buildings or of the site. */
export class Aggregate extends Batches {
  hourly<G extends Group = 'space'>(query: HourlyBatchQuery<G>, options?: CallOptions): Call<SpaceBatch<G>> {
    return this.readBatch('/aggregate/hourly', query, options)
  }

  daily<G extends Group = 'space'>(query: DailyBatchQuery<G>, options?: CallOptions): Call<SpaceBatch<G>> {
    return this.readBatch('/aggregate/daily', query, options)
  }
}

/** Series of many devices. */
export class Consumption extends Batches {
  hourly(query: DeviceHourlyBatchQuery, options?: CallOptions): Call<DeviceBatch> {
    return this.readBatch('/consumption/hourly', query, options)
  }

  daily(query: DeviceDailyBatchQuery, options?: CallOptions): Call<DeviceBatch> {
    return this.readBatch('/consumption/daily', query, options)
  }
}

/** `from` and `to` under the names that the API uses. */
export function toQuery({ from, to, ...rest }: Range & object): Query {
  return { ...(rest as Query), fromDateTime: from, toDateTime: to }
}

interface AnyBatch {
  timestamps: string[]
  series: Columns[]
  pagination: { nextCursor: string | null; hasMore: boolean }
}

/** All pages of a batch as one, unless the query requests a page with `limit` or `cursor`. */
async function readBatch<B extends AnyBatch, G extends Group | 'device'>(
  send: Send,
  siteId: string,
  path: string,
  range: Range & { limit?: number; cursor?: string },
  callOptions: CallOptions | undefined,
): Promise<Answer<Batch<B, G>>> {
  const query = toQuery(range)
  const pages: B[] = []
  return send.sequence(callOptions, async (options) => {
    for (let cursor = range.cursor; ; ) {
      const answer = await send<B>({ method: 'GET', path, siteId, query: { ...query, cursor } }, options)
      pages.push(answer.data)
      const { nextCursor } = answer.data.pagination
      if (nextCursor === null || range.limit !== undefined || range.cursor !== undefined) {
        const rows = (): Generator<BatchRow<G>, void, undefined> => toRows<G>(pages)
        const series = pages.flatMap((page) => page.series)
        return { ...answer, data: { ...answer.data, series, rows } }
      }
      cursor = nextCursor
    }
  })
}

function* toRows<G extends Group | 'device'>(pages: AnyBatch[]): Generator<BatchRow<G>, void, undefined> {
  for (const { timestamps, series } of pages) {
    for (const { values, min, max, quality, coverage, components, ...rest } of series) {
      const points = timestamps.map((timestamp, index): Point => {
        const [lowest, highest, parts] = [min?.[index], max?.[index], components?.[index]]
        return {
          timestamp,
          value: values[index] as number | null,
          ...(typeof lowest === 'number' ? { min: lowest } : {}),
          ...(typeof highest === 'number' ? { max: highest } : {}),
          quality: quality[index] as string,
          coverage: coverage[index] as number,
          ...(parts ? { components: parts } : {}),
        }
      })
      yield { ...rest, points } as unknown as BatchRow<G>
    }
  }
}
