import type { Device, Space } from '@portico/sdk'
import { type ApiCall, v2 } from '../api.ts'

export interface TryRequest {
  name: string
  text: string
  call: ApiCall
}

/** The requests that a new program needs first. They only read. */
export function toRequests(choice: {
  siteId: string
  space: Space | undefined
  device: Device | undefined
  canReadEvents: boolean
}): TryRequest[] {
  const { siteId, space, device, canReadEvents } = choice
  return [
    {
      name: 'Your account',
      text: 'Your roles, sites, secrets and limits.',
      call: v2('GET', '/account'),
    },
    ...(space ? toSpaceRequests(siteId, space) : []),
    ...(device ? toDeviceRequests(siteId, device) : []),
    ...(canReadEvents
      ? [
          {
            name: 'Events',
            text: 'The events of the last hour, oldest first.',
            call: v2('GET', '/events', { siteId, query: { limit: 20 } }),
          },
        ]
      : []),
  ]
}

function toSpaceRequests(siteId: string, { spaceUuid, metricTypes }: Space): TryRequest[] {
  const metric = metricTypes[0] ?? 'electricity'
  return [
    {
      name: 'List the spaces',
      text: 'Rooms and other parts of buildings, with what they measure.',
      call: v2('GET', '/spaces', { siteId, query: { limit: 20 } }),
    },
    {
      name: 'Overview of a space',
      text: 'Consumption, current climate and devices in one response.',
      call: v2('GET', `/spaces/${spaceUuid}/overview`, { siteId }),
    },
    {
      name: 'The last 24 hours',
      text: 'A metric in windows of an hour, each with its quality.',
      call: v2('GET', `/spaces/${spaceUuid}/aggregate/${metric}/hourly`, { siteId }),
    },
    {
      name: 'The last 30 days',
      text: 'A metric in windows of a day, compared with the 30 days before.',
      call: v2('GET', `/spaces/${spaceUuid}/aggregate/${metric}/daily`, {
        siteId,
        query: { compareTo: 'previousPeriod' },
      }),
    },
    {
      name: 'All spaces at once',
      text: 'The series of every space that measures the metric, in one response.',
      call: v2('GET', '/aggregate/hourly', { siteId, query: { metricTypes: [metric] } }),
    },
    {
      name: 'Current climate',
      text: 'The newest temperature and CO₂ of every space.',
      call: v2('GET', '/latest', { siteId, query: { metricTypes: ['temperature', 'co2'] } }),
    },
  ]
}

function toDeviceRequests(siteId: string, { deviceUuid, controllable }: Device): TryRequest[] {
  return [
    {
      name: 'List the devices',
      text: 'Devices with their status and what they can do.',
      call: v2('GET', '/devices', { siteId, query: { limit: 20 } }),
    },
    {
      name: 'One device',
      text: 'Status, battery, warnings and the bounds of its targets.',
      call: v2('GET', `/devices/${deviceUuid}`, { siteId }),
    },
    ...(controllable
      ? [
          {
            name: 'Schedule of a device',
            text: 'The schedule in effect, and the next change.',
            call: v2('GET', `/devices/${deviceUuid}/schedule`, { siteId }),
          },
        ]
      : []),
  ]
}
