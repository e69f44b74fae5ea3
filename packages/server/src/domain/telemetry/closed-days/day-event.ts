import { overlaps, Windows } from '../../../calendar/interval.ts'
import { getLocalDays } from '../../../calendar/local-day.ts'
import { mapInChunks } from '../../../kernel/concurrency.ts'
import { newOrderedUuid } from '../../../kernel/ids.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import type { NewEvent } from '../../event/event.ts'
import { isMeasured, METRIC_NAMES, type MetricName } from '../../metric/catalogue.ts'
import { MISSING } from '../series/columns.ts'
import type { SeriesService } from '../series/service.ts'
import { toDateText, toLinks } from './links.ts'

const MEASURED_NAMES = METRIC_NAMES.filter(isMeasured)

interface DayFigures {
  /** Metrics with data for the day. */
  metrics: MetricName[]
  /** Number of spaces' series with data for the day. */
  series: number
  /** Number of those whose data covers the whole day. */
  complete: number
}

/** The event for a closed day: its values are final unless they are corrected. */
export async function createDayEvent(
  aggregate: SeriesService,
  model: SiteModel,
  day: number,
  now: number,
): Promise<NewEvent> {
  const days = getLocalDays(model.zone)
  const window = { from: days.startOfDay(day), to: days.startOfDay(day + 1) }
  const { metrics, series, complete } = await countSeries(
    aggregate,
    model,
    new Windows([window.from, window.to]),
  )
  return {
    eventUuid: newOrderedUuid(now),
    type: 'day.closed',
    at: now,
    recordedAt: now,
    deviceUuid: null,
    spaceUuid: null,
    data: {
      date: toDateText(day),
      fromDateTime: model.zone.format(window.from),
      toDateTime: model.zone.format(window.to),
      series,
      complete,
      links: toLinks({ from: day, end: day + 1 }, metrics.length > 0 ? metrics : ['electricity']),
    },
  }
}

async function countSeries(
  aggregate: SeriesService,
  model: SiteModel,
  windows: Windows,
): Promise<DayFigures> {
  const span = windows.whole
  const pairs = [...model.spaces.values()].flatMap((space) =>
    MEASURED_NAMES.filter((metric) =>
      model.placedSeries(space.spaceUuid, metric).some(({ placement }) => overlaps(placement, span)),
    ).map((metric) => ({ space, metric })),
  )
  const found = await mapInChunks(pairs, aggregate.concurrency, async ({ space, metric }) => {
    const { columns } = await aggregate.spaces(model, [space], metric, windows)
    return columns.quality[0] === MISSING ? [] : [{ metric, coverage: columns.coverage[0] }]
  })
  const measured = found.flat()
  return {
    metrics: MEASURED_NAMES.filter((metric) => measured.some((series) => series.metric === metric)),
    series: measured.length,
    complete: measured.filter(({ coverage }) => coverage === 1).length,
  }
}
