import { NoQuery, Page } from '@portico/wire/page'
import { MetricType } from '@portico/wire/v2/metric-type'
import { METRIC_NAMES, METRICS } from '../../../domain/metric/catalogue.ts'
import { anyRole } from '../../pipeline/gates.ts'
import { jsonOrCsv, jsonOrCsvReply } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { SITE_GATES } from '../surface.ts'

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

export const listMetricTypes = defineRoute({
  method: 'GET',
  path: '/metric-types',
  operationId: 'listMetricTypes',
  summary: 'List the metric types',
  description:
    'Everything that can be measured, whether or not the site measures it, with unit, group, aggregation, Brick class and Haystack tags.',
  tags: ['Metric types'],
  gates: [...SITE_GATES, anyRole],
  query: NoQuery,
  produces: jsonOrCsv('The metric types', Page(MetricType)),
  errors: ['forbidden', 'rate-limited'],
  handle: (call) =>
    jsonOrCsvReply(call, { data, pagination: { nextCursor: null, hasMore: false } }, COLUMNS, data),
})
