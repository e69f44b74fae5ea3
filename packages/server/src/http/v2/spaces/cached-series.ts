import type { SpaceSeries as WireSpaceSeries } from '@portico/wire/v2/series'
import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import type { EncodeRange, SeriesEncoder } from '../series-encoding/encode-series.ts'
import { type EncodedHead, encodeSeriesHead } from '../series-encoding/series-body.ts'
import type { SpaceQuery } from '../../../domain/telemetry/series/space-query.ts'
import { METRICS } from '../../../domain/metric/catalogue.ts'

/** State shared by all ranges of a space's series. */
interface SpaceSeries {
  head: EncodedHead
  encode: EncodeRange
}

/** Bounded by the site's spaces, metrics and intervals; a changed site has a new model. */
const cache = new WeakMap<SiteModel, Map<SpaceRecord, Map<string, SpaceSeries>>>()

export function getSpaceSeries(encoder: SeriesEncoder, request: SpaceSeriesRequest): SpaceSeries {
  const { model, space, metric, interval, scope } = request
  let bySpace = cache.get(model)
  if (!bySpace) cache.set(model, (bySpace = new Map()))
  let byKey = bySpace.get(space)
  if (!byKey) bySpace.set(space, (byKey = new Map()))
  // The granularity is not part of the key: no interval belongs to both.
  const key = `${metric} ${interval} ${scope}`
  let series = byKey.get(key)
  if (!series) {
    series = { head: encodeSpaceHead(request), encode: encoder.space(request) }
    byKey.set(key, series)
  }
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
