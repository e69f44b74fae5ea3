import type { Inventory } from '@portico/wire/operator/inventory'

/**
 * The site of the guide docs/api/first-site.md. The other examples have the identifiers of the demo, whose records this
 * request would archive.
 */
export const NEW_SITE: Inventory = {
  site: {
    siteUuid: '8c1f4a52-3d7e-4b90-9a66-2e5f0d7b1c01',
    siteName: 'Weaver Street',
    timeZone: 'Europe/London',
  },
  buildings: [{ buildingUuid: '8c1f4a52-3d7e-4b90-9a66-2e5f0d7b1c02', buildingName: 'Weaver House' }],
  spaces: [
    {
      spaceUuid: '8c1f4a52-3d7e-4b90-9a66-2e5f0d7b1c03',
      spaceName: 'Office 1',
      spaceType: 'office',
      buildingUuid: '8c1f4a52-3d7e-4b90-9a66-2e5f0d7b1c02',
    },
  ],
  devices: [
    {
      deviceUuid: '8c1f4a52-3d7e-4b90-9a66-2e5f0d7b1c04',
      deviceName: 'Radiator valve',
      deviceType: 'trv',
      spaceUuid: '8c1f4a52-3d7e-4b90-9a66-2e5f0d7b1c03',
      metrics: { temperature: { kind: 'gauge' } },
      capabilities: {
        schedule: { types: ['weekly', 'override', 'boost', 'resume'] },
        setpoint: { min: 5, max: 30, step: 0.5 },
      },
    },
  ],
}
