import type { SpaceSeries } from '@portico/wire/v2/series'
import type { Comparison } from '../../../aggregate/point.ts'
import type { SeriesText } from '../../../aggregate/series-texts.ts'
import type { SpaceQuestion } from '../../../aggregate/space-series.ts'
import type { SpaceRecord } from '../../../inventory/inventory.ts'
import { METRICS, type MetricName } from '../../../metric/catalogue.ts'
import type { Interval } from '../../../metric/window.ts'
import { type SeriesBody, type SeriesHead, seriesBody, seriesHead } from '../series-convert.ts'

/** What the answer is to. */
export type Asked = Omit<SpaceQuestion, 'memo'> & { granularity: 'hourly' | 'daily' }

/** A series of a space as JSON. */
export const spaceBody = (asked: Asked, text: SeriesText, comparison?: Comparison): SeriesBody =>
  seriesBody(headOf(asked), asked.model.zone, asked.range, text, comparison)

/** A space's record is another when anything about its site has changed. */
const heads = new WeakMap<SpaceRecord, Map<MetricName, Partial<Record<Interval, SeriesHead>>>>()

function headOf(asked: Asked): SeriesHead {
  const { space, metric, interval, scope } = asked
  if (scope !== 'space') return makeHead(asked)
  let ofSpace = heads.get(space)
  if (!ofSpace) heads.set(space, (ofSpace = new Map()))
  let ofMetric = ofSpace.get(metric)
  if (!ofMetric) ofSpace.set(metric, (ofMetric = {}))
  return (ofMetric[interval] ??= makeHead(asked))
}

const makeHead = ({ model, space, metric, granularity, interval, scope }: Asked): SeriesHead =>
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
