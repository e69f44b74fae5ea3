import { Windows } from '../../calendar/interval.ts'
import type { Interval } from '../../calendar/window-edges.ts'
import { windowEdges } from '../../calendar/window-edges.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { isMeasured, METRIC_NAMES, METRICS, type MetricName } from '../../domain/metric/catalogue.ts'
import { readWindowRows, type WindowRowDeps } from '../../domain/telemetry/export/window-rows.ts'
import { checkEmissionsBound } from '../../domain/telemetry/series/emission-bound.ts'
import { spaceContributorLookup } from '../../domain/telemetry/series/find-contributors.ts'
import { resolveExportSpan } from '../../domain/telemetry/series/range.ts'
import type { SeriesService } from '../../domain/telemetry/series/service.ts'
import { querySpace } from '../../domain/telemetry/series/space-query.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalidField } from '../../kernel/errors.ts'
import { parseMetrics } from '../v2/aggregate/batch-parameters.ts'
import { prefetchBatch } from '../v2/aggregate/encode-batch.ts'
import { type GroupBy, groupSpaces, isMeasuredIn, selectSpaces } from '../v2/aggregate/select-spaces.ts'
import type { WindowsQuery } from './export-job.ts'
import { type PreparedExport, toMetadata } from './prepared-export.ts'

export interface WindowServices {
  clock: Clock
  aggregate: SeriesService
}

/** Metrics of an export that names none: those that are computed from readings only. */
const DEFAULT_METRICS: readonly MetricName[] = METRIC_NAMES.filter(isMeasured)

/** An export of the windows of a site’s spaces; throws if a parameter is invalid. */
export function prepareWindows(
  { clock, aggregate }: WindowServices,
  model: SiteModel,
  query: WindowsQuery,
): PreparedExport {
  const { interval = 'PT1H', groupBy = 'space', format = 'ndjson' } = query
  const now = clock.now()
  const span = resolveExportSpan(query, model.zone, now)
  const metrics = readMetrics(query.metricTypes, interval, groupBy)
  const selected = selectSpaces(model, query, groupBy === 'building' || groupBy === 'site')
  const groups = groupSpaces(model, selected, groupBy)
  // Those that begin in the range: consecutive exports contain each window once, even weeks that overlap two months.
  const edges = windowEdges(model.zone, interval, span.from, span.to).filter((edge) => edge >= span.from)
  const whole = { from: span.from, to: edges.at(-1) ?? span.to }
  const series = [...groups.keys()].toSorted().flatMap((id) => {
    const spaces = groups.get(id) ?? []
    return metrics.flatMap((metric) => {
      if (!selected.isNamed && !isMeasuredIn(model, spaces, metric, whole)) return []
      checkEmissionsBound(model, metric, spaces, { from: whole.from, until: Math.min(whole.to, now) })
      const [space] = spaces
      return {
        id,
        metric,
        find: spaceContributorLookup(model, spaces),
        compute: (service: SeriesService, some: Windows) =>
          groupBy === 'space' && space
            ? querySpace(service, { model, space, metric, interval, scope: 'space' }, some)
            : service.spaces(model, spaces, metric, some),
      }
    })
  })
  const found = [...new Set(series.map(({ metric }) => metric))].toSorted()
  return {
    options: {
      kind: 'windows',
      format,
      idName: `${groupBy}Uuid`,
      timeZone: model.site.timeZone,
      metadata: toMetadata(model, whole, found, { interval, groupBy }),
    },
    async *read(snapshots, pause) {
      if (edges.length < 2) return
      const prefetch: WindowRowDeps['prefetch'] = (reads, some) =>
        prefetchBatch(reads, clock.now(), model, interval, series, some)
      yield* readWindowRows({ snapshots, aggregate, prefetch, pause }, model.zone, series, new Windows(edges))
    },
  }
}

function readMetrics(text: string | undefined, interval: Interval, groupBy: GroupBy): MetricName[] {
  const metrics = text === undefined ? [...DEFAULT_METRICS] : parseMetrics(text, undefined, METRIC_NAMES)
  const scored = metrics.find((metric) => METRICS[metric].derive === 'score')
  if (scored !== undefined && groupBy !== 'space')
    throw invalidField('groupBy', 'not-allowed', `must be space with ${scored}`)
  if (scored !== undefined && interval.startsWith('PT'))
    throw invalidField('interval', 'not-allowed', `must be P1D, P1W or P1M with ${scored}`)
  return metrics.toSorted()
}
