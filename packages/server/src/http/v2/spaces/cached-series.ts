import type { SeriesTexts, TextAtOnce } from '../../../aggregate/series-texts.ts'
import type { SiteModel } from '../../../inventory/site-model.ts'
import type { SeriesHead } from '../series-convert.ts'
import { type Asked, spaceHead } from './space-body.ts'

/** What all ranges of a space's series have in common. */
interface SpaceSeries {
  head: SeriesHead
  /** Undefined for a series of several spaces. */
  text: TextAtOnce | undefined
}

/** At most as many as a site has spaces, metrics and intervals; a changed site has another model. */
const cache = new WeakMap<SiteModel, Map<string, SpaceSeries>>()

export function getSpaceSeries(texts: SeriesTexts, asked: Omit<Asked, 'range'>): SpaceSeries {
  const { model, space, metric, granularity, interval, scope } = asked
  let ofSite = cache.get(model)
  if (!ofSite) cache.set(model, (ofSite = new Map()))
  const key = `${space.spaceUuid} ${metric} ${granularity} ${interval} ${scope}`
  let series = ofSite.get(key)
  if (!series) {
    const text = scope === 'space' ? texts.spaceAtOnce(model, space, metric, interval) : undefined
    series = { head: spaceHead(asked), text }
    ofSite.set(key, series)
  }
  return series
}
