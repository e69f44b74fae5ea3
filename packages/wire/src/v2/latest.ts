import { type Static, Type } from 'typebox'
import { Page } from '../page.ts'
import { Uuid } from '../uuid.ts'
import { LocalTime, NullableNumber } from './common.ts'
import { MetricName } from './metric-type.ts'

const LatestValues = Type.Object(
  {
    spaceUuid: { ...Uuid, description: 'The space.', examples: ['7c1f6c0e-6a53-4f6d-9a55-0b3f2f7f1a01'] },
    environment: Type.Array(
      Type.Object(
        {
          metricType: MetricName,
          unit: Type.String({ description: 'The unit of the value.', examples: ['degC'] }),
          value: {
            ...NullableNumber,
            description: 'The newest reading; null if there is none.',
            examples: [20.4],
          },
          timestamp: {
            ...Type.Union([LocalTime, Type.Null()]),
            description: 'The time of the reading, in the site’s local time.',
            examples: ['2026-11-16T09:00:00+00:00'],
          },
          stale: Type.Boolean({ description: 'Whether it is older than two hours.', examples: [false] }),
        },
        { title: 'LatestValue', additionalProperties: false, description: 'The newest reading of a metric.' },
      ),
      { description: 'One entry for each of the metrics that the space measures.' },
    ),
    occupancy: {
      ...NullableNumber,
      description: 'People present now; null if it is not known.',
      examples: [2],
    },
  },
  { title: 'LatestValues', additionalProperties: false, description: 'The current climate of a space.' },
)

export const LatestPage = Page(LatestValues)

export type LatestValues = Static<typeof LatestValues>
