import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { SpaceType } from '../operator/inventory.ts'
import { Uuid } from '../uuid.ts'
import { DeviceStatus, DeviceTypeName } from './device.ts'
import { MetricName, Unit } from './metric-type.ts'
import { NullableInteger, NullableLocalTime, NullableNumber, NullableString, NullableUuid } from './common.ts'

const spaceFields = {
  spaceUuid: about(Uuid, 'The identifier of the space.', EXAMPLE.spaceUuid),
  spaceName: Type.String({ description: 'The name of the space.', examples: ['S001'] }),
  spaceType: about(SpaceType, 'What the space is used for.', 'studio'),
  siteUuid: about(Uuid, 'The site of the space.', EXAMPLE.siteUuid),
  buildingUuid: about(Uuid, 'The building of the space.', EXAMPLE.buildingUuid),
  buildingName: Type.String({ description: 'The name of the building.', examples: ['Saddler House'] }),
  floorNumber: about(NullableInteger, 'The floor; 0 is the ground floor, null if unknown.', 0),
  clusterUuid: about(NullableUuid, 'The cluster, such as a flat, that the space is part of; or null.', null),
  clusterName: about(NullableString, 'The name of the cluster; null without a cluster.', null),
  areaM2: about(NullableNumber, 'The floor area in square metres; null if unknown.', 21),
  capacity: about(
    NullableInteger,
    'The number of people that the space is designed for; null if unknown.',
    1,
  ),
  timeZone: Type.String({
    description: 'IANA name of the site’s time zone.',
    examples: ['Europe/London'],
  }),
  metricTypes: Type.Array(MetricName, {
    description: 'Metrics measured by devices in the space itself.',
    examples: [['electricity', 'water', 'temperature', 'humidity', 'co2', 'occupancy']],
  }),
  deviceCount: Type.Integer({ description: 'Number of devices in the space.', examples: [4] }),
}

export const Space = Type.Object(spaceFields, {
  title: 'Space',
  additionalProperties: false,
  description: 'A room or another part of a building.',
})

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
          metricType: about(MetricName, 'The utility.', 'electricity'),
          unit: Unit,
          today: about(NullableNumber, 'Consumption since midnight; null without data.', 2.41),
          yesterday: about(NullableNumber, 'Consumption of the whole day before; null without data.', 5.87),
          monthToDate: about(NullableNumber, 'Consumption of the month so far; null without data.', 88.3),
          lastUpdated: about(
            NullableLocalTime,
            'Local time of the latest reading; null if there is none.',
            '2026-11-16T09:30:00+00:00',
          ),
        },
        {
          title: 'UtilityOverview',
          additionalProperties: false,
          description: 'The consumption of one utility today, yesterday and this month.',
        },
      ),
      { description: 'Consumption of the space or its cluster, one entry for each utility.' },
    ),
    environment: Type.Array(
      Type.Object(
        {
          metricType: about(MetricName, 'The climate metric.', 'temperature'),
          unit: about(Unit, 'The unit of the value.', 'degC'),
          value: about(NullableNumber, 'The latest value; null if there is none.', 20.4),
          timestamp: about(
            NullableLocalTime,
            'Local time of the value; null if there is none.',
            '2026-11-16T09:25:00+00:00',
          ),
          stale: Type.Boolean({ description: 'Older than two hours.', examples: [false] }),
        },
        {
          title: 'EnvironmentOverview',
          additionalProperties: false,
          description: 'The newest reading of a climate metric in a space.',
        },
      ),
      { description: 'The current climate, one entry for each metric.' },
    ),
    occupancy: Type.Union([Type.Number(), Type.Null()], {
      description: 'People present now; null if it is not measured.',
      examples: [1],
    }),
    devices: Type.Array(
      Type.Object(
        {
          deviceUuid: about(Uuid, 'The identifier of the device.', EXAMPLE.meterUuid),
          deviceType: about(DeviceTypeName, 'What the device is.', 'electricityMeter'),
          status: DeviceStatus,
        },
        { title: 'SpaceDevice', additionalProperties: false, description: 'A device in the space.' },
      ),
      { description: 'The devices in the space.' },
    ),
  },
  {
    title: 'SpaceOverview',
    additionalProperties: false,
    description: 'A space with its consumption, climate and devices.',
  },
)

export type SpaceOverview = Static<typeof SpaceOverview>
