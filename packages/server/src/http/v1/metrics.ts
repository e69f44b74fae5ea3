import type { SpaceRecord } from '../../inventory/inventory.ts'
import type { SiteModel } from '../../inventory/site-model.ts'
import { toPoints } from '../../telemetry/series/columns.ts'
import type { Point } from '../../telemetry/series/point.ts'
import { yieldIfDue } from '../../lib/time-slice.ts'
import { ENVIRONMENT, METRICS, type MetricName, UTILITIES } from '../../metric/catalogue.ts'
import type { V1Call, When } from './route.ts'

const measured = (
  model: SiteModel,
  { spaceUuid }: SpaceRecord,
  group: readonly MetricName[],
  when: When,
): MetricName[] => {
  const known = when === 'now' ? model.metricsOf(spaceUuid) : model.everMeasuredIn(spaceUuid)
  return group.filter((metric) => known.includes(metric))
}

export const utilitiesOf = (model: SiteModel, space: SpaceRecord, when: When): MetricName[] =>
  measured(model, space, UTILITIES, when)

export const environmentOf = (model: SiteModel, space: SpaceRecord, when: When): MetricName[] =>
  measured(model, space, ENVIRONMENT, when)

/** One object for each window, with a field for each metric that the space measures. */
export async function windowsOf<T>(
  { model, services, space }: Pick<V1Call, 'model' | 'services'> & { space: SpaceRecord },
  metrics: readonly MetricName[],
  edges: readonly number[],
  toField: (point: Point, unit: string) => T,
): Promise<{ at: number; fields: Record<string, T> }[]> {
  const windows = edges.slice(0, -1).map((at) => ({ at, fields: {} as Record<string, T> }))
  for (const metric of metrics) {
    const { columns } = await services.aggregate.spaces(model, [space], metric, edges)
    for (const [index, point] of toPoints(columns).entries()) {
      const window = windows[index]
      if (window) window.fields[metric] = toField(point, METRICS[metric].unit)
    }
    await yieldIfDue()
  }
  return windows
}

export const figure = ({ value }: Pick<Point, 'value'>, unit: string) => ({ value, unit })
