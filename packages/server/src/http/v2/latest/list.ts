import { metricList, spaceList } from '@portico/wire/v2/batch'
import { LatestPage, type LatestValues } from '@portico/wire/v2/latest'
import { Type } from 'typebox'
import type { SpaceRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import { ENVIRONMENT, isMeasured, type MetricName } from '../../../domain/metric/catalogue.ts'
import { climateNow, occupancyNow } from '../../../domain/telemetry/insight/overview.ts'
import type { LatestReading } from '../../../domain/telemetry/reading/store.ts'
import { csvPieces } from '../../pipeline/csv.ts'
import { role } from '../../pipeline/gates.ts'
import { JsonRecords, jsonPieces } from '../../pipeline/body/json-pieces.ts'
import { type Pieces, toBody } from '../../pipeline/body/streamed-body.ts'
import { linkToNext, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { chooseRepresentation, jsonCsvOrNdjson } from '../../pipeline/produces.ts'
import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE, type Representation } from '../../pipeline/reply.ts'
import { defineRoute, type RouteServices } from '../../pipeline/route.ts'
import { batchCost } from '../aggregate/batch-reply.ts'
import { namedNotFound, parseMetrics } from '../aggregate/batch-parameters.ts'
import { selectSpaces } from '../aggregate/select-spaces.ts'
import { toCursorScope } from '../paginate.ts'
import { filters, listQuery, spaceTypeFilter } from '../query.ts'
import { SITE_GATES } from '../surface.ts'

const MAX_SPACES = 1_000

const COLUMNS = ['spaceUuid', 'metricType', 'unit', 'value', 'timestamp', 'stale', 'occupancy'] as const

export const listLatest = defineRoute({
  method: 'GET',
  path: '/latest',
  operationId: 'listLatest',
  summary: 'The current climate and occupancy of many spaces',
  description:
    'The environment part of every overview, by spaceUuid. Without metricTypes, every climate metric. Costs 1, plus 1 for every 50 spaces. Send Accept: text/csv or application/x-ndjson for CSV or NDJSON.',
  tags: ['Batch'],
  gates: [...SITE_GATES, role('Spaces.Read')],
  query: listQuery({
    metricTypes: Type.Optional(metricList('temperature')),
    spaceUuids: spaceList,
    buildingUuid: filters.buildingUuid,
    clusterUuid: filters.clusterUuid,
    spaceType: spaceTypeFilter,
  }),
  produces: jsonCsvOrNdjson('The newest readings, by space', LatestPage),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  exampleErrors: [namedNotFound('spaceUuids', [0], 'space')],
  handle(call, services: Pick<RouteServices, 'addresses' | 'clock' | 'cursors' | 'queries' | 'readings'>) {
    const { site: model, query } = call
    const metrics =
      query.metricTypes === undefined ? ENVIRONMENT : parseMetrics(query.metricTypes, undefined, ENVIRONMENT)
    const { spaces, isNamed } = selectSpaces(model, query, false)
    const type = chooseRepresentation(call)
    const scope = toCursorScope(call, 'latest')
    const { limit, cursor } = query
    const { limit: size, position = '' } = readPageQuery(
      { limit: limit ?? String(MAX_SPACES), ...(cursor === undefined ? {} : { cursor }) },
      services,
      scope,
    )
    const shown = spaces
      .filter((space) => space.spaceUuid > position && (isNamed || measuresAny(model, space, metrics)))
      .toSorted((a, b) => (a.spaceUuid < b.spaceUuid ? -1 : 1))
    const { data, pagination } = toPage(
      shown.slice(0, size + 1),
      size,
      (space) => space,
      ({ spaceUuid }) => services.cursors.encode(scope, spaceUuid),
    )
    return services.queries.runBatch(call, batchCost(data.length), async () => {
      const ids = listSeriesIds(model, data, [...metrics, 'occupancy'])
      const latest = await services.readings.latest(model.site.siteUuid, ids)
      const now = services.clock.now()
      const toWire = (space: SpaceRecord): LatestValues => toLatest(model, space, metrics, latest, now)
      const writers: Record<Representation, { type: string; pieces: Pieces }> = {
        'application/json': {
          type: JSON_TYPE,
          pieces: () => jsonPieces({ data: new JsonRecords(data, toWire), pagination }),
        },
        'text/csv': {
          type: CSV_TYPE,
          pieces: () =>
            csvPieces(
              COLUMNS,
              data.flatMap((space) => toRows(toWire(space))),
              (row) => row,
            ),
        },
        'application/x-ndjson': {
          type: NDJSON_TYPE,
          *pieces() {
            yield `${JSON.stringify({ pagination })}\n`
            for (const space of data) yield `${JSON.stringify(toWire(space))}\n`
            yield `${JSON.stringify({ end: true, spaces: data.length })}\n`
          },
        },
      }
      const { type: contentType, pieces } = writers[type]
      return {
        status: 200,
        type: contentType,
        headers: linkToNext(call, services, pagination, limit === undefined ? undefined : size),
        body: toBody(pieces, data.length),
      }
    })
  },
})

const measuresAny = (model: SiteModel, { spaceUuid }: SpaceRecord, metrics: readonly MetricName[]): boolean =>
  model.listMetrics(spaceUuid).some((metric) => metrics.includes(metric))

/** The series of the devices that are in the spaces now. */
const listSeriesIds = (
  model: SiteModel,
  spaces: readonly SpaceRecord[],
  metrics: readonly MetricName[],
): number[] => [
  ...new Set(
    spaces.flatMap(({ spaceUuid }) =>
      metrics
        .filter(isMeasured)
        .flatMap((metric) =>
          model
            .placedSeries(spaceUuid, metric)
            .flatMap(({ seriesId, placement }) => (placement.to === null ? [seriesId] : [])),
        ),
    ),
  ),
]

function toLatest(
  model: SiteModel,
  space: SpaceRecord,
  metrics: readonly MetricName[],
  latest: ReadonlyMap<number, LatestReading>,
  now: number,
): LatestValues {
  return {
    spaceUuid: space.spaceUuid,
    environment: climateNow(model, space, latest, now)
      .filter(({ metricType }) => metrics.includes(metricType))
      .map((one) => ({
        ...one,
        timestamp: one.timestamp === null ? null : model.zone.format(one.timestamp),
      })),
    occupancy: occupancyNow(model, space, latest, now),
  }
}

const toRows = ({ spaceUuid, environment, occupancy }: LatestValues) =>
  environment.map((one) => ({ spaceUuid, ...one, occupancy }))
