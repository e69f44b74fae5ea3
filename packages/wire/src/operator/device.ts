import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { Instant } from '../uuid.ts'
import { Device } from '../v2/device.ts'
import { MetricName } from '../v2/metric-type.ts'

const LatestReading = Type.Object(
  {
    metricType: about(MetricName, 'The metric.', 'temperature'),
    timestamp: about(Instant, 'Time of the reading.', '2026-11-16T09:27:41.000Z'),
    value: Type.Number({ description: 'The value as it was sent.', examples: [20.5] }),
  },
  { additionalProperties: false },
)

export const OperatorDevice = Type.Object(
  {
    ...Device.properties,
    latestReadings: Type.Array(LatestReading, {
      description: 'The newest reading of each metric; metrics without readings are left out.',
    }),
  },
  { title: 'OperatorDevice', additionalProperties: false, description: 'A device with its newest readings.' },
)

export type OperatorDevice = Static<typeof OperatorDevice>
