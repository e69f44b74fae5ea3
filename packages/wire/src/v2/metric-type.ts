import { type Static, Type } from 'typebox'
import { about } from '../about.ts'

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

export const MetricName = Type.Enum([...MEASURED_METRICS, 'carbon', 'performance'], {
  title: 'MetricName',
  description: 'The name of a metric. GET /metric-types lists them with their units.',
})

/** The unit of a value. */
export const Unit = Type.String({ description: 'The unit of the values.', examples: ['kWh'] })

export const MetricType = Type.Object(
  {
    metricType: about(MetricName, 'The name of the metric, as in paths and filters.', 'electricity'),
    unit: Unit,
    group: Type.Enum(['utility', 'environment', 'derived'], {
      description: 'utility: consumption; environment: climate and occupancy; derived: computed from others.',
    }),
    aggregation: Type.Enum(['sum', 'mean', 'score'], {
      description: 'How the value of a window is computed: the sum, the mean, or a score from 0 to 100.',
    }),
    description: Type.String({ description: 'What is measured.', examples: ['Electricity consumption'] }),
    brickClass: Type.Union([Type.String(), Type.Null()], {
      description: 'Class of Brick 1.4; null if it has none for the metric.',
      examples: ['Electrical_Energy_Usage_Sensor'],
    }),
    haystackTags: Type.Array(Type.String(), {
      description: 'Tags of Project Haystack.',
      examples: [['elec', 'energy', 'sensor']],
    }),
  },
  { title: 'MetricType', additionalProperties: false, description: 'A metric and what is known about it.' },
)

export type MetricType = Static<typeof MetricType>
