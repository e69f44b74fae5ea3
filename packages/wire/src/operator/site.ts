import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { Instant } from '../uuid.ts'
import { Site } from '../v2/site.ts'

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

export const DeviceCounts = Type.Object(
  {
    total: count('All devices.', 212),
    online: count('Devices that are online.', 205),
    offline: count('Devices that are offline.', 4),
    unknown: count('Devices that never sent anything.', 3),
  },
  { title: 'DeviceCounts', additionalProperties: false, description: 'Devices by status.' },
)

export const OperatorSite = Type.Object(
  {
    ...Site.properties,
    buildings: count('Its buildings.', 2),
    spaces: count('Its spaces.', 96),
    devices: about(DeviceCounts, 'Its devices by status, at most a minute old.'),
    gateways: count('Its gateway accounts.', 1),
    newestReadingAt: about(
      Type.Union([Instant, Type.Null()]),
      'Time of the newest reading of any device, at most a minute old; null if there is none.',
      '2026-11-16T09:27:41.000Z',
    ),
  },
  { title: 'OperatorSite', additionalProperties: false, description: 'A site with its numbers.' },
)

export type OperatorSite = Static<typeof OperatorSite>
