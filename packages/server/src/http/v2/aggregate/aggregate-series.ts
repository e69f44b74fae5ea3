import type { Interval } from '../../../calendar/window-edges.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import type { Granularity } from '../../../domain/metric/catalogue.ts'
import { checkEmissionsBound } from '../../../domain/telemetry/series/emission-bound.ts'
import { spaceContributorLookup } from '../../../domain/telemetry/series/find-contributors.ts'
import { estimateSpacesWork } from '../../../domain/telemetry/series/query-cost.ts'
import { getSpaceSeries } from '../spaces/cached-series.ts'
import type { BatchSeries, BatchSubjects } from './batch-page.ts'
import type { EncodeServices } from './encode-batch.ts'
import { groupSpaces, isMeasuredIn, selectSpaces, type SpaceBatchFilters } from './select-spaces.ts'

/** The series of spaces, or of groups of them. */
export function listSpaceSeries(
  { seriesEncoder }: Pick<EncodeServices, 'seriesEncoder'>,
  model: SiteModel,
  { groupBy, ...filters }: SpaceBatchFilters,
  granularity: Granularity,
  interval: Interval,
): BatchSubjects {
  const isEver = groupBy === 'building' || groupBy === 'site'
  const selected = selectSpaces(model, filters, isEver)
  const groups = groupSpaces(model, selected, groupBy)
  return {
    ids: [...groups.keys()],
    list(id, metrics, range) {
      const spaces = groups.get(id) ?? []
      return metrics.flatMap((metric) => {
        if (!selected.isNamed && !isMeasuredIn(model, spaces, metric, range.windows.whole)) return []
        const [space] = spaces
        const request = { model, metric, granularity, interval, scope: 'space' } as const
        const createEncode: BatchSeries['createEncode'] = (encoder) => {
          if (groupBy !== 'space' || !space)
            return (encoder ?? seriesEncoder).spaces(model, spaces, metric, interval)
          return encoder
            ? encoder.space({ ...request, space })
            : getSpaceSeries(seriesEncoder, { ...request, space }).encode
        }
        checkEmissionsBound(model, metric, spaces, range)
        const work = estimateSpacesWork(model, spaces, metric, range)
        return [{ id, metric, find: spaceContributorLookup(model, spaces), work, createEncode }]
      })
    },
  }
}
