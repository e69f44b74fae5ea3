/** The endpoints of version 1 as the specification, section 4.3, lists them, with what it says becomes of each. */
export interface V1Endpoint {
  path: string
  state: 'replaced' | 'awaiting-v2' | 'retiring'
  replacement: string | null
}

const hourly = '/spaces/{spaceuuid}/aggregate/{metrictype}/hourly'
const daily = '/spaces/{spaceuuid}/aggregate/{metrictype}/daily'

const replaced: [path: string, replacement: string][] = [
  ['/spaces/details/{spaceId}', '/spaces/{spaceuuid}/overview'],
  ['/spaces/utilities/{spaceId}', hourly],
  ['/spaces/utilities/{spaceId}/history', daily],
  ['/spaces/utilities/{spaceId}/monthly', daily],
  ['/spaces/multiSensor/{spaceId}', hourly],
  ['/spaces/multiSensor/{spaceId}/history', daily],
  ['/spaces/performance/{spaceId}', daily],
  ['/spaces/utilities/performance/{spaceId}', daily],
]

const awaiting = [
  '/buildings/occupancy/{buildingId}',
  '/buildings/occupancy/{buildingId}/history',
  '/sites/occupancy/{siteId}',
  '/sites/occupancy/{siteId}/history',
  '/spaces/utilities/rank/{spaceId}',
  '/spaces/tip/{spaceId}',
]

const retiring = [
  '/tenant/logo',
  '/building/image/{buildingId}',
  '/buildings/weather/{buildingId}',
  '/sites/weather/{siteId}',
  '/buildings/carbonIntensity/{buildingId}',
  '/buildings/carbonIntensity/{buildingId}/carbonGenerationMix',
  '/sites/carbonIntensity/{siteId}',
  '/sites/carbonIntensity/{siteId}/carbonGenerationMix',
  '/spaces/carbonEmissions/{spaceId}',
]

export const v1Endpoints: V1Endpoint[] = [
  ...replaced.map(([path, replacement]) => ({ path, state: 'replaced' as const, replacement })),
  ...awaiting.map((path) => ({ path, state: 'awaiting-v2' as const, replacement: null })),
  ...retiring.map((path) => ({ path, state: 'retiring' as const, replacement: null })),
]
