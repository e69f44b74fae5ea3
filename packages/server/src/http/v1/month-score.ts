import type { Windows } from '../../calendar/interval.ts'
import type { SpaceRecord } from '../../domain/estate/inventory/inventory.ts'
import { toPoints } from '../../domain/telemetry/series/columns.ts'
import type { Point } from '../../domain/telemetry/series/point.ts'
import { estimateSpaceCost } from '../../domain/telemetry/series/query-cost.ts'
import { METRICS } from '../../domain/metric/catalogue.ts'
import { toWindows } from '../../calendar/window-edges.ts'
import { toIsoMonth } from './range.ts'
import type { V1Call } from './route.ts'

export const SCORE = METRICS.performance.unit

const monthWindows = ({ model, now }: Pick<V1Call, 'model' | 'now'>): Windows =>
  toWindows(model.zone, 'P1M', now, now + 1)

export function estimateMonthScore(call: V1Call & { space: SpaceRecord }): number {
  const { model, space, now } = call
  const windows = monthWindows(call)
  const range = { windows, ...windows.whole, until: now }
  return estimateSpaceCost({ model, space, metric: 'performance', scope: 'space', range })
}

/** The mean score of the current month so far. */
export async function monthScore({
  model,
  space,
  now,
  services,
}: V1Call & { space: SpaceRecord }): Promise<{ month: string; point: Pick<Point, 'value' | 'components'> }> {
  const windows = monthWindows({ model, now })
  const { columns } = await services.aggregate.performance(model, space, 'P1M', windows)
  const [point = { value: null }] = toPoints(columns)
  return { month: toIsoMonth(model.zone, now), point }
}
