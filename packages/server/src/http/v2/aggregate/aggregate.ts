import { GROUPS, metricList, spaceList, SpaceSeriesBatch } from '@portico/wire/v2/batch'
import { Type } from 'typebox'
import { type Granularity, METRIC_NAMES } from '../../../domain/metric/catalogue.ts'
import { checkEmissionsBound } from '../../../domain/telemetry/series/emission-bound.ts'
import { estimateSpacesWork } from '../../../domain/telemetry/series/query-cost.ts'
import { spaceContributorLookup } from '../../../domain/telemetry/series/find-contributors.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { role } from '../../pipeline/gates.ts'
import { jsonCsvOrNdjson } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import { type Context, defineRoute } from '../../pipeline/route.ts'
import { calendarInterval, clockInterval, filters, listQuery, rangeQuery, spaceTypeFilter } from '../query.ts'
import { getSpaceSeries } from '../spaces/cached-series.ts'
import { SITE_GATES } from '../surface.ts'
import { type BatchSeries, readBatchPage } from './batch-page.ts'
import { parseMetrics } from './batch-parameters.ts'
import { BATCH_ROUTE, batchReply, type BatchServices } from './batch-reply.ts'
import { type GroupBy, groupSpaces, isMeasuredIn, selectSpaces } from './select-spaces.ts'

const GATES = [...SITE_GATES, role('Spaces.Read')] as const

const batchQuery = {
  metricTypes: metricList,
  spaceUuids: spaceList,
  buildingUuid: filters.buildingUuid,
  clusterUuid: filters.clusterUuid,
  spaceType: spaceTypeFilter,
  groupBy: Type.Optional(
    Type.Enum([...GROUPS], { description: 'Sums or pools the spaces of a group. The default is space.' }),
  ),
  ...rangeQuery,
}

const HourlyQuery = listQuery({ ...batchQuery, interval: clockInterval })

const DailyQuery = listQuery({ ...batchQuery, interval: calendarInterval })

const common = {
  ...BATCH_ROUTE,
  gates: GATES,
  produces: jsonCsvOrNdjson('The series', SpaceSeriesBatch),
} as const

export const listSpacesHourly = defineRoute({
  ...common,
  path: '/aggregate/hourly',
  operationId: 'listSpacesHourly',
  summary: 'Current data for many spaces, by hour, half hour or quarter hour',
  query: HourlyQuery,
  handle: (call, services: BatchServices) => spaceBatch(call, services, 'hourly'),
})

export const listSpacesDaily = defineRoute({
  ...common,
  path: '/aggregate/daily',
  operationId: 'listSpacesDaily',
  summary: 'Historical data for many spaces, by day, week or month',
  query: DailyQuery,
  handle: (call, services: BatchServices) => spaceBatch(call, services, 'daily'),
})

type SpaceBatchCall = Context<typeof GATES, undefined, typeof HourlyQuery | typeof DailyQuery, undefined>

function spaceBatch(
  call: SpaceBatchCall,
  services: BatchServices,
  granularity: Granularity,
): Promise<Reply | undefined> {
  const { site: model, query } = call
  const metrics = parseMetrics(query.metricTypes, granularity, METRIC_NAMES)
  const groupBy: GroupBy = query.groupBy ?? 'space'
  if (groupBy !== 'space' && metrics.includes('performance'))
    throw invalidField('groupBy', 'not-allowed', 'must be space with performance')
  const interval = query.interval ?? (granularity === 'hourly' ? 'PT1H' : 'P1D')
  const isEver = groupBy === 'building' || groupBy === 'site'
  const selected = selectSpaces(model, query, isEver)
  const groups = groupSpaces(model, selected, groupBy)
  const { range, take } = readBatchPage(call, services, `aggregate ${granularity}`, interval)
  const { seriesEncoder } = services
  const page = take([...groups.keys()], metrics, (id) => {
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
  })
  const head = { granularity, interval, timeZone: model.site.timeZone }
  return batchReply(call, services, page, { ...head, idName: `${groupBy}Uuid`, groupBy })
}
