import type { SiteModel } from '../../../inventory/site-model.ts'
import type { EncodeRange, SeriesEncoder } from '../series-encoding/encode-series.ts'
import type { EncodedHead } from '../series-encoding/series-body.ts'
import { encodeSpaceHead, type SpaceSeriesRequest } from './space-body.ts'

/** What all ranges of a space's series have in common. */
interface SpaceSeries {
  head: EncodedHead
  encode: EncodeRange
}

/** At most as many as a site has spaces, metrics and intervals; a changed site has another model. */
const cache = new WeakMap<SiteModel, Map<string, SpaceSeries>>()

export function getSpaceSeries(encoder: SeriesEncoder, request: SpaceSeriesRequest): SpaceSeries {
  const { model, space, metric, granularity, interval, scope } = request
  let ofSite = cache.get(model)
  if (!ofSite) cache.set(model, (ofSite = new Map()))
  const key = `${space.spaceUuid} ${metric} ${granularity} ${interval} ${scope}`
  let series = ofSite.get(key)
  if (!series) {
    series = { head: encodeSpaceHead(request), encode: encoder.space(request) }
    ofSite.set(key, series)
  }
  return series
}
