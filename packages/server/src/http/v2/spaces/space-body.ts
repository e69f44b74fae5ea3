import type { SpaceSeries } from '@portico/wire/v2/series'
import type { Comparison } from '../../../aggregate/point.ts'
import type { SeriesText } from '../../../aggregate/series-texts.ts'
import type { SpaceQuestion } from '../../../aggregate/space-series.ts'
import { METRICS } from '../../../metric/catalogue.ts'
import { type SeriesBody, seriesBody } from '../series-convert.ts'

/** What the answer is to. */
export type Asked = Omit<SpaceQuestion, 'memo'> & { granularity: 'hourly' | 'daily' }

/** A series of a space as JSON. */
export function spaceBody(
  { model, space, metric, granularity, interval, scope, range }: Asked,
  text: SeriesText,
  comparison?: Comparison,
): SeriesBody {
  const head = {
    spaceUuid: space.spaceUuid,
    scope,
    metricType: metric,
    unit: METRICS[metric].unit,
    aggregation: METRICS[metric].aggregation,
    granularity,
    interval,
    timeZone: model.site.timeZone,
    fromDateTime: model.zone.format(range.from),
    toDateTime: model.zone.format(range.to),
    ...(text.isSynthetic === undefined ? {} : { isSynthetic: text.isSynthetic }),
  } satisfies Partial<SpaceSeries>
  return seriesBody(head, text, comparison)
}
