import { type Static, Type } from 'typebox'
import { SpaceType } from '../operator/inventory.ts'
import { Uuid } from '../uuid.ts'
import { DeviceStatus, DeviceTypeName } from './device.ts'
import { MetricName } from './metric-type.ts'
import { LocalTime, NullableNumber, NullableString, NullableUuid } from './common.ts'

const spaceFields = {
  spaceUuid: Uuid,
  spaceName: Type.String(),
  spaceType: SpaceType,
  siteUuid: Uuid,
  buildingUuid: Uuid,
  buildingName: Type.String(),
  floorNumber: NullableNumber,
  clusterUuid: NullableUuid,
  clusterName: NullableString,
  areaM2: NullableNumber,
  capacity: NullableNumber,
  timeZone: Type.String(),
  metricTypes: Type.Array(MetricName, { description: 'Metrics measured by devices in the space itself.' }),
  deviceCount: Type.Integer(),
}

export const Space = Type.Object(spaceFields, { title: 'Space', additionalProperties: false })

export type Space = Static<typeof Space>

export const SpaceOverview = Type.Object(
  {
    ...spaceFields,
    consumptionScope: Type.Enum(['space', 'cluster'], {
      description: 'The scope of utilities: the cluster if the space is part of one.',
    }),
    utilities: Type.Array(
      Type.Object(
        {
          metricType: MetricName,
          unit: Type.String(),
          today: NullableNumber,
          yesterday: NullableNumber,
          monthToDate: NullableNumber,
          lastUpdated: Type.Union([LocalTime, Type.Null()]),
        },
        { additionalProperties: false },
      ),
    ),
    environment: Type.Array(
      Type.Object(
        {
          metricType: MetricName,
          unit: Type.String(),
          value: NullableNumber,
          timestamp: Type.Union([LocalTime, Type.Null()]),
          stale: Type.Boolean({ description: 'Older than two hours.' }),
        },
        { additionalProperties: false },
      ),
    ),
    occupancy: Type.Union([Type.Number(), Type.Null()], { description: 'People present now.' }),
    devices: Type.Array(
      Type.Object(
        { deviceUuid: Uuid, deviceType: DeviceTypeName, status: DeviceStatus },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'SpaceOverview', additionalProperties: false },
)

export type SpaceOverview = Static<typeof SpaceOverview>
