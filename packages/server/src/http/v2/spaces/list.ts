import { about } from '@portico/wire/about'
import { Page } from '@portico/wire/page'
import { MetricName } from '@portico/wire/v2/metric-type'
import { Space } from '@portico/wire/v2/space'
import { Type } from 'typebox'
import { role } from '../../pipeline/gates.ts'
import { pageOrCsv } from '../../pipeline/produces.ts'
import { defineRoute, type RouteServices } from '../../pipeline/route.ts'
import { listCost, listReply } from '../paginate.ts'
import { matchesFilter } from '../matches-filter.ts'
import { filters, floorFilter, listQuery, searchFilter, spaceTypeFilter } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import { SPACE_COLUMNS, toWireSpace } from './convert.ts'

export const listSpaces = defineRoute({
  method: 'GET',
  path: '/spaces',
  operationId: 'listSpaces',
  summary: 'List all spaces with metadata',
  description: 'Without `limit`, the response contains the whole list. Send `Accept: text/csv` for CSV.',
  tags: ['Spaces'],
  gates: [...SITE_GATES, role('Spaces.Read')],
  query: listQuery({
    ...filters,
    spaceType: spaceTypeFilter,
    metricType: Type.Optional(about(MetricName, 'Only spaces that measure this metric.', 'electricity')),
    floorNumber: floorFilter,
    search: searchFilter('spaces'),
  }),
  produces: pageOrCsv('The spaces, by name', Page(Space)),
  errors: ['forbidden', 'rate-limited'],
  handle(call, services: Pick<RouteServices, 'queries' | 'cursors' | 'addresses'>) {
    const { site, query } = call
    const { buildingUuid, spaceUuid, clusterUuid, spaceType, metricType } = query
    const floor = query.floorNumber === undefined ? undefined : Number(query.floorNumber)
    const text = query.search?.toLowerCase()
    return services.queries.run(call, listCost(query, site.spaces.size), () => {
      const items = [...site.spaces.values()].filter(
        (space) =>
          matchesFilter(buildingUuid, space.buildingUuid) &&
          matchesFilter(spaceUuid, space.spaceUuid) &&
          matchesFilter(clusterUuid, space.clusterUuid) &&
          (spaceType === undefined || space.spaceType === spaceType) &&
          (floor === undefined || space.floorNumber === floor) &&
          (text === undefined || space.spaceName.toLowerCase().includes(text)) &&
          (metricType === undefined ||
            site.listMetrics(space.spaceUuid).some((metric) => metric === metricType)),
      )
      return listReply(call, services, {
        name: 'spaces',
        items,
        getKey: (space) => [space.spaceName, space.spaceUuid],
        toWire: (space) => toWireSpace(site, space),
        columns: SPACE_COLUMNS,
      })
    })
  },
})
