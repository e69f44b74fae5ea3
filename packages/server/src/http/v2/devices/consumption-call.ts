import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { MetricName } from '@portico/wire/v2/metric-type'
import { Type } from 'typebox'
import { CALENDAR_INTERVALS, CLOCK_INTERVALS } from '../../../calendar/window-edges.ts'
import { role } from '../../pipeline/gates.ts'
import type { Context, RouteServices } from '../../pipeline/route.ts'
import { compareQuery, listQuery, rangeQuery } from '../query.ts'
import { SITE_GATES } from '../surface.ts'

export const GATES = [...SITE_GATES, role('Devices.Read')] as const

export const DeviceMetricParams = Type.Object({
  deviceuuid: about(Uuid, 'The deviceUuid of a device, from GET /devices.', EXAMPLE.meterUuid),
  metrictype: about(MetricName, 'A metric that the device measures.', 'electricity'),
})

export const ConsumptionQuery = listQuery({
  ...rangeQuery,
  interval: Type.Optional(
    Type.Enum(['raw', ...CLOCK_INTERVALS, ...CALENDAR_INTERVALS], {
      description: 'The length of a window, or raw for the readings themselves; PT1H if absent.',
    }),
  ),
  compareTo: compareQuery,
})

export type ConsumptionServices = Pick<
  RouteServices,
  'addresses' | 'clock' | 'queries' | 'aggregate' | 'seriesEncoder' | 'readings' | 'cursors'
>

/** A request for a series or for the readings of a device. */
export type ConsumptionCall = Context<
  typeof GATES,
  typeof DeviceMetricParams,
  typeof ConsumptionQuery,
  undefined
>
