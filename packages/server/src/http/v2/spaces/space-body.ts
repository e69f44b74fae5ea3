import type { SpaceSeries } from '@portico/wire/v2/series'
import type { Comparison } from '../../../telemetry/series/point.ts'
import type { SpaceQuestion } from '../../../telemetry/series/space-series.ts'
import { METRICS } from '../../../metric/catalogue.ts'
import type { EncodedSeries } from '../series-encoding/encoded-series.ts'
import {
  type EncodedBody,
  type EncodedHead,
  encodeSeriesBody,
  encodeSeriesHead,
} from '../series-encoding/series-body.ts'

export type SpaceSeriesRequest = SpaceQuestion & { granularity: 'hourly' | 'daily' }

/** A series of a space as JSON. */
export const encodeSpaceBody = (
  request: SpaceSeriesRequest,
  series: EncodedSeries,
  comparison?: Comparison,
): EncodedBody =>
  encodeSeriesBody(encodeSpaceHead(request), request.model.zone, request.range, series, comparison)

export const encodeSpaceHead = ({
  model,
  space,
  metric,
  granularity,
  interval,
  scope,
}: Omit<SpaceSeriesRequest, 'range'>): EncodedHead =>
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
