import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import type { EncodeRange, SeriesEncoder } from '../series-encoding/encode-series.ts'
import type { EncodedHead } from '../series-encoding/series-body.ts'
import { encodeSpaceHead, type SpaceSeriesRequest } from './space-body.ts'

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
