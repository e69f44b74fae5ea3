import { DAILY_SPACES_EXAMPLE, GROUPS, metricList, spaceList, SpaceSeriesBatch } from '@portico/wire/v2/batch'
import { Type } from 'typebox'
import { type Granularity, METRIC_NAMES } from '../../../domain/metric/catalogue.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { role } from '../../pipeline/gates.ts'
import { jsonCsvOrNdjson } from '../../pipeline/produces.ts'
import type { Reply } from '../../pipeline/reply.ts'
import { type Context, defineRoute } from '../../pipeline/route.ts'
import { calendarInterval, clockInterval, filters, listQuery, rangeQuery, spaceTypeFilter } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import { namedNotFound, parseMetrics } from './batch-parameters.ts'
import { BATCH_ROUTE, batchReply, type BatchServices } from './batch-reply.ts'

const GATES = [...SITE_GATES, role('Spaces.Read')] as const

const batchQuery = {
  metricTypes: metricList('electricity'),
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
  exampleErrors: [namedNotFound('spaceUuids', [0], 'space')],
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
  produces: jsonCsvOrNdjson('The series', SpaceSeriesBatch, { example: DAILY_SPACES_EXAMPLE }),
  query: DailyQuery,
  handle: (call, services: BatchServices) => spaceBatch(call, services, 'daily'),
})

type SpaceBatchCall = Context<typeof GATES, undefined, typeof HourlyQuery | typeof DailyQuery, undefined>

function spaceBatch(
  call: SpaceBatchCall,
  services: BatchServices,
  granularity: Granularity,
): Promise<Reply | undefined> {
  const { query } = call
  const metrics = parseMetrics(query.metricTypes, granularity, METRIC_NAMES)
  if (query.groupBy !== undefined && query.groupBy !== 'space' && metrics.includes('performance'))
    throw invalidField('groupBy', 'not-allowed', 'must be space with performance')
  const { spaceUuids, buildingUuid, clusterUuid, spaceType, groupBy = 'space' } = query
  const filters = { spaceUuids, buildingUuid, clusterUuid, spaceType, groupBy }
  return batchReply(call, services, `aggregate ${granularity}`, metrics, {
    request: { of: 'spaces', filters },
    granularity,
    interval: query.interval ?? (granularity === 'hourly' ? 'PT1H' : 'P1D'),
    idName: `${groupBy}Uuid`,
    groupBy,
  })
}
