import type { Windows } from '../../calendar/interval.ts'
import type { SpaceRecord } from '../../domain/estate/inventory/inventory.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { toPoints } from '../../domain/telemetry/series/columns.ts'
import type { Point } from '../../domain/telemetry/series/point.ts'
import { yieldIfDue } from '../../kernel/time-slice.ts'
import { METRICS, type MetricName, V1_ENVIRONMENT, V1_UTILITIES } from '../../domain/metric/catalogue.ts'
import type { V1Call, MetricScope } from './route.ts'

const measured = (
  model: SiteModel,
  { spaceUuid }: SpaceRecord,
  group: readonly MetricName[],
  when: MetricScope,
): MetricName[] => {
  const measured = when === 'now' ? model.listMetrics(spaceUuid) : model.everMeasuredIn(spaceUuid)
  return group.filter((metric) => measured.includes(metric))
}

export const listUtilities = (model: SiteModel, space: SpaceRecord, when: MetricScope): MetricName[] =>
  measured(model, space, V1_UTILITIES, when)

export const listEnvironmentMetrics = (
  model: SiteModel,
  space: SpaceRecord,
  when: MetricScope,
): MetricName[] => measured(model, space, V1_ENVIRONMENT, when)

/** One object per window, with a field for each metric that the space measures. */
export async function readWindows<T>(
  { model, services, space }: Pick<V1Call, 'model' | 'services'> & { space: SpaceRecord },
  metrics: readonly MetricName[],
  windows: Windows,
  toField: (point: Point, unit: string) => T,
): Promise<{ at: number; fields: Record<string, T> }[]> {
  const shown = Array.from(windows, ({ from }) => ({ at: from, fields: {} as Record<string, T> }))
  for (const metric of metrics) {
    const { columns } = await services.aggregate.spaces(model, [space], metric, windows)
    for (const [index, point] of toPoints(columns).entries()) {
      const window = shown[index]
      if (window) window.fields[metric] = toField(point, METRICS[metric].unit)
    }
    await yieldIfDue()
  }
  return shown
}

export const toFigure = ({ value }: Pick<Point, 'value'>, unit: string) => ({ value, unit })
