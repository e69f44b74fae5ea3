import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { type Static, Type } from 'typebox'
import { Page } from '../page.ts'
import { Uuid } from '../uuid.ts'
import { LocalTime, NullableNumber } from './common.ts'
import { MetricName } from './metric-type.ts'

const LatestValues = Type.Object(
  {
    spaceUuid: about(Uuid, 'The space.', EXAMPLE.spaceUuid),
    environment: Type.Array(
      Type.Object(
        {
          metricType: about(MetricName, 'The metric.', 'temperature'),
          unit: Type.String({ description: 'The unit of the value.', examples: ['degC'] }),
          value: about(NullableNumber, 'The newest reading; null if there is none.', 20.4),
          timestamp: about(
            Type.Union([LocalTime, Type.Null()]),
            'The time of the reading, in the site’s local time.',
            '2026-11-16T09:00:00+00:00',
          ),
          stale: Type.Boolean({ description: 'Whether it is older than two hours.', examples: [false] }),
        },
        { title: 'LatestValue', additionalProperties: false, description: 'The newest reading of a metric.' },
      ),
      { description: 'One entry for each of the metrics that the space measures.' },
    ),
    occupancy: about(NullableNumber, 'People present now; null if it is not known.', 2),
  },
  { title: 'LatestValues', additionalProperties: false, description: 'The current climate of a space.' },
)

export const LatestPage = Page(LatestValues)

export type LatestValues = Static<typeof LatestValues>
