import { type Static, Type } from 'typebox'

/** Metrics that a device can measure and the API returns. `battery` is measured too, but is not a metric type. */
export const MEASURED_METRICS = [
  'electricity',
  'gas',
  'water',
  'hotwater',
  'heating',
  'cooling',
  'solar',
  'temperature',
  'humidity',
  'co2',
  'voc',
  'pm25',
  'noise',
  'light',
  'pressure',
  'occupancy',
  'motion',
] as const

export const MetricName = Type.Enum([...MEASURED_METRICS, 'carbon', 'performance'], { title: 'MetricName' })

export const MetricType = Type.Object(
  {
    metricType: MetricName,
    unit: Type.String(),
    group: Type.Enum(['utility', 'environment', 'derived']),
    aggregation: Type.Enum(['sum', 'mean', 'score']),
    description: Type.String(),
    brickClass: Type.Union([Type.String(), Type.Null()], {
      description: 'Class of Brick 1.4; null if it has none for the metric.',
    }),
    haystackTags: Type.Array(Type.String()),
  },
  { title: 'MetricType', additionalProperties: false },
)

export type MetricType = Static<typeof MetricType>
