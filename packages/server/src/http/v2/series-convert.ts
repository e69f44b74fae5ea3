import type { SpaceSeries } from '@portico/wire/v2/series'
import type { Series } from '../../aggregate/point.ts'
import type { SiteModel } from '../../inventory/site-model.ts'

/** The windows of a series with their wall-clock timestamps. */
export function toWirePoints(
  { zone }: SiteModel,
  { points }: Series,
): { points: SpaceSeries['timeSeries']; hasData: boolean } {
  return {
    points: points.map(({ at, ...point }) => ({ timestamp: zone.format(at), ...point })),
    hasData: points.some(({ value }) => value !== null),
  }
}
