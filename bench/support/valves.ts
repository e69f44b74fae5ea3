import { newUuid } from '@portico/server/kernel/ids'

/** The inventory of a site with radiator valves that run their own schedule. */
export interface ValveSite {
  siteUuid: string
  deviceUuids: string[]
  document: object
}

export function makeValveSite(count: number): ValveSite {
  const [siteUuid, buildingUuid, spaceUuid] = [newUuid(), newUuid(), newUuid()]
  const deviceUuids = Array.from({ length: count }, newUuid)
  return {
    siteUuid,
    deviceUuids,
    document: {
      site: { siteUuid, siteName: 'Valves', timeZone: 'Europe/London' },
      buildings: [{ buildingUuid, buildingName: 'Tower' }],
      spaces: [{ spaceUuid, spaceName: 'Hall', spaceType: 'bedroom', buildingUuid, floorNumber: 1 }],
      devices: deviceUuids.map((deviceUuid, index) => ({
        deviceUuid,
        deviceName: `Valve ${index}`,
        deviceType: 'trv',
        spaceUuid,
        metrics: { temperature: { kind: 'gauge' } },
        capabilities: {
          schedule: {
            types: ['weekly', 'override', 'boost', 'resume', 'oneOff'],
            minuteStep: 1,
            maxPeriodsPerDay: 10,
            execution: 'device',
          },
          setpoint: { min: 5, max: 30, step: 0.5, unit: 'degC' },
        },
      })),
    },
  }
}
