import { SpaceMultiSensor } from '@portico/wire/v1/space'
import { listEnvironmentMetrics, toFigure, readWindows } from '../metrics.ts'
import { lastHours } from '../range.ts'
import { spaceRoute } from '../route.ts'

export const spaceMultiSensor = spaceRoute(
  {
    summary: 'The climate of a space now',
    description:
      'Each metric in its newest hour with data, the running one among them, of the last 24: the same figure as that hour of version 2, with its start. `timestamp` is that of the newest of all.',
    answer: SpaceMultiSensor,
  },
  async (call) => {
    const { model, space } = call
    const metrics = listEnvironmentMetrics(model, space, 'now')
    const windows = await readWindows(call, metrics, lastHours(call), toFigure)
    const newest = metrics.map((metric) => {
      const window = windows.findLast(({ fields }) => fields[metric]?.value != null)
      const { value, unit } = (window ?? windows[0])?.fields[metric] ?? { value: null, unit: '' }
      return { metric, at: window?.at ?? null, value, unit }
    })
    const local = (at: number | null): string | null => (at === null ? null : model.zone.format(at))
    const times = newest.flatMap(({ at }) => at ?? [])
    return {
      spaceId: space.legacyId,
      timestamp: local(times.length === 0 ? null : Math.max(...times)),
      ...Object.fromEntries(
        newest.map(({ metric, at, value, unit }) => [metric, { value, unit, timestamp: local(at) }]),
      ),
    }
  },
)
