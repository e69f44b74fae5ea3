import type { SpaceSeries } from '@portico/wire/v2/series'
import type { SpaceQuestion } from '../../../aggregate/space-series.ts'
import { METRICS } from '../../../metric/catalogue.ts'
import { type SeriesHead, seriesHead } from '../series-convert.ts'

/** What the answer is to. */
export type Asked = Omit<SpaceQuestion, 'memo'> & { granularity: 'hourly' | 'daily' }

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
