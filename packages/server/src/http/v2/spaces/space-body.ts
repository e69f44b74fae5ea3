import type { SpaceSeries } from '@portico/wire/v2/series'
import type { Comparison } from '../../../aggregate/point.ts'
import type { SeriesText } from '../../../aggregate/series-texts.ts'
import type { SpaceQuestion } from '../../../aggregate/space-series.ts'
import { METRICS } from '../../../metric/catalogue.ts'
import { type SeriesBody, type SeriesHead, seriesBody, seriesHead } from '../series-convert.ts'

/** What the answer is to. */
export type Asked = Omit<SpaceQuestion, 'memo'> & { granularity: 'hourly' | 'daily' }

/** A series of a space as JSON. */
export const spaceBody = (asked: Asked, text: SeriesText, comparison?: Comparison): SeriesBody =>
  seriesBody(spaceHead(asked), asked.model.zone, asked.range, text, comparison)

export const spaceHead = ({
  model,
  space,
  metric,
  granularity,
  interval,
  scope,
}: Omit<Asked, 'range'>): SeriesHead =>
  seriesHead({
    spaceUuid: space.spaceUuid,
    scope,
    metricType: metric,
    unit: METRICS[metric].unit,
    aggregation: METRICS[metric].aggregation,
    granularity,
    interval,
    timeZone: model.site.timeZone,
  } satisfies Partial<SpaceSeries>)
