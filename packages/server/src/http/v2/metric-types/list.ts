import { NoQuery, Page } from '@portico/wire/page'
import { MetricType } from '@portico/wire/v2/metric-type'
import type { FastifyInstance } from 'fastify'
import { METRIC_NAMES, METRICS } from '../../../metric/catalogue.ts'
import { responsesWithCsv } from '../../responses.ts'
import { answer } from '../answer.ts'

const schema = {
  operationId: 'listMetricTypes',
  summary: 'List the metric types',
  tags: ['Metric types'],
  querystring: NoQuery,
  response: responsesWithCsv('The metric types', Page(MetricType), 'forbidden', 'rate-limited'),
}

const COLUMNS = [
  'metricType',
  'unit',
  'group',
  'aggregation',
  'description',
  'brickClass',
  'haystackTags',
] as const

const data = METRIC_NAMES.map((metricType): MetricType => {
  const { unit, group, aggregation, description, brick, haystack } = METRICS[metricType]
  return { metricType, unit, group, aggregation, description, brickClass: brick, haystackTags: [...haystack] }
})

export function listMetricTypes(app: FastifyInstance): void {
  app.get('/metric-types', { schema }, async (request, reply) =>
    answer(request, reply, { data, pagination: { nextCursor: null, hasMore: false } }, COLUMNS, data),
  )
}
