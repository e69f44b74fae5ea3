import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import type { EncodeRange, SeriesEncoder } from '../series-encoding/encode-series.ts'
import type { EncodedHead } from '../series-encoding/series-body.ts'
import { encodeSpaceHead, type SpaceSeriesRequest } from './space-body.ts'

/** What all ranges of a space's series have in common. */
interface SpaceSeries {
  head: EncodedHead
  encode: EncodeRange
}

/** At most as many as a site has spaces, metrics and intervals; a changed site has another model. */
const cache = new WeakMap<SiteModel, Map<SpaceRecord, Map<string, SpaceSeries>>>()

export function getSpaceSeries(encoder: SeriesEncoder, request: SpaceSeriesRequest): SpaceSeries {
  const { model, space, metric, interval, scope } = request
  let bySpace = cache.get(model)
  if (!bySpace) cache.set(model, (bySpace = new Map()))
  let byKey = bySpace.get(space)
  if (!byKey) bySpace.set(space, (byKey = new Map()))
  // Without the granularity: no interval belongs to both.
  const key = `${metric} ${interval} ${scope}`
  let series = byKey.get(key)
  if (!series) {
    series = { head: encodeSpaceHead(request), encode: encoder.space(request) }
    byKey.set(key, series)
  }
  return series
}
