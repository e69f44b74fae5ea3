import type { SpaceRecord } from '../../inventory/inventory.ts'
import type { Point } from '../../aggregate/point.ts'
import { METRICS } from '../../metric/catalogue.ts'
import { windowEdges } from '../../metric/window.ts'
import { monthOf } from './range.ts'
import type { V1Call } from './route.ts'

export const SCORE = METRICS.performance.unit

/** The score of the running month so far. */
export async function monthScore({
  model,
  space,
  now,
  services,
}: V1Call & { space: SpaceRecord }): Promise<{ month: string; point: Pick<Point, 'value' | 'components'> }> {
  const edges = windowEdges(model.zone, 'P1M', now, now + 1)
  const { points } = await services.aggregate.performance(model, space, 'P1M', edges)
  return { month: monthOf(model.zone, now), point: points[0] ?? { value: null } }
}
