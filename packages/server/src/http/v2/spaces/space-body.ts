import type { SpaceSeries } from '@portico/wire/v2/series'
import type { SpaceQuery } from '../../../domain/telemetry/series/space-query.ts'
import { METRICS } from '../../../domain/metric/catalogue.ts'
import { type EncodedHead, encodeSeriesHead } from '../series-encoding/series-body.ts'

/** A series of a space, without its range. */
export type SpaceSeriesRequest = Omit<SpaceQuery, 'range'> & { granularity: 'hourly' | 'daily' }

export const encodeSpaceHead = ({
  model,
  space,
  metric,
  granularity,
  interval,
  scope,
}: SpaceSeriesRequest): EncodedHead =>
  encodeSeriesHead({
    spaceUuid: space.spaceUuid,
    scope,
    metricType: metric,
    unit: METRICS[metric].unit,
    aggregation: METRICS[metric].aggregation,
    granularity,
    interval,
    timeZone: model.site.timeZone,
  } satisfies Partial<SpaceSeries>)
