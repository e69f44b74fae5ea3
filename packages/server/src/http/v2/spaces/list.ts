import { SpaceType } from '@portico/wire/operator/inventory'
import { Page } from '@portico/wire/page'
import { MetricName } from '@portico/wire/v2/metric-type'
import { Space } from '@portico/wire/v2/space'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { ExpensiveQueries } from '../../plugins/expensive-queries.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responsesWithCsv } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { listCost, sendList } from '../list-page.ts'
import { isWanted, listQuery, uuidFilter } from '../query.ts'
import { SPACE_COLUMNS, toWireSpace } from './convert.ts'

const schema = {
  operationId: 'listSpaces',
  summary: 'List all spaces with metadata',
  description: 'The whole list without limit; pages with it. Accept text/csv for CSV.',
  tags: ['Spaces'],
  querystring: listQuery({
    buildingUuid: uuidFilter,
    spaceUuid: uuidFilter,
    clusterUuid: uuidFilter,
    spaceType: Type.Optional(SpaceType),
    metricType: Type.Optional(MetricName),
  }),
  response: responsesWithCsv('The spaces, by name', Page(Space), 'forbidden', 'rate-limited'),
}

interface Filters {
  buildingUuid?: string
  spaceUuid?: string
  clusterUuid?: string
  spaceType?: string
  metricType?: string
}

export function listSpaces(app: FastifyInstance, services: Services, queries: ExpensiveQueries): void {
  app.get<{ Querystring: Filters }>('/spaces', { schema }, async (request, reply) => {
    const model = siteOf(request)
    const { buildingUuid, spaceUuid, clusterUuid, spaceType, metricType } = request.query
    return queries.run(request, reply, listCost(request, model.spaces.size), async () => {
      const items = [...model.spaces.values()].filter(
        (space) =>
          isWanted(buildingUuid, space.buildingUuid) &&
          isWanted(spaceUuid, space.spaceUuid) &&
          isWanted(clusterUuid, space.clusterUuid) &&
          (spaceType === undefined || space.spaceType === spaceType) &&
          (metricType === undefined ||
            model.metricsOf(space.spaceUuid).some((metric) => metric === metricType)),
      )
      return sendList(request, reply, services, {
        name: 'spaces',
        items,
        keyOf: (space) => [space.spaceName, space.spaceUuid],
        toWire: (space) => toWireSpace(model, space),
        columns: SPACE_COLUMNS,
      })
    })
  })
}
