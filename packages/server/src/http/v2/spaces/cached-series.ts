import type { SpaceSeries as WireSpaceSeries } from '@portico/wire/v2/series'
import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import type { EncodeRange, SeriesEncoder } from '../series-encoding/encode-series.ts'
import { type EncodedHead, encodeSeriesHead } from '../series-encoding/series-body.ts'
import type { SpaceQuery } from '../../../domain/telemetry/series/space-query.ts'
import { type MetricName, METRICS } from '../../../domain/metric/catalogue.ts'
import type { Interval } from '../../../calendar/window-edges.ts'

/** State shared by all ranges of a space's series. */
interface SpaceSeries {
  head: EncodedHead
  encode: EncodeRange
}

/** The granularity is not part of the key: no interval belongs to both. */
type ByMetric = Map<MetricName, Map<Interval, Map<SpaceQuery['scope'], SpaceSeries>>>

/** Bounded by the site's spaces, metrics and intervals; a changed site has a new model. */
const cache = new WeakMap<SiteModel, Map<SpaceRecord, ByMetric>>()

export function getSpaceSeries(encoder: SeriesEncoder, request: SpaceSeriesRequest): SpaceSeries {
  const { model, space, metric, interval, scope } = request
  let bySpace = cache.get(model)
  if (!bySpace) cache.set(model, (bySpace = new Map()))
  let byMetric = bySpace.get(space)
  if (!byMetric) bySpace.set(space, (byMetric = new Map()))
  let byInterval = byMetric.get(metric)
  if (!byInterval) byMetric.set(metric, (byInterval = new Map()))
  let byScope = byInterval.get(interval)
  if (!byScope) byInterval.set(interval, (byScope = new Map()))
  let series = byScope.get(scope)
  if (!series)
    byScope.set(scope, (series = { head: encodeSpaceHead(request), encode: encoder.space(request) }))
  return series
}

/** A series of a space, without its range. */
type SpaceSeriesRequest = Omit<SpaceQuery, 'range'> & { granularity: 'hourly' | 'daily' }

const encodeSpaceHead = ({
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
  } satisfies Partial<WireSpaceSeries>)
