import { SpaceMultiSensor } from '@portico/wire/v1/space'
import { climateNow } from '../../../aggregate/overview.ts'
import { spaceRoute } from '../route.ts'

export const spaceMultiSensor = spaceRoute(
  {
    summary: 'The climate of a space now',
    description:
      'The newest reading of each metric, with its own time; `timestamp` is that of the newest of all.',
    answer: SpaceMultiSensor,
  },
  async ({ model, space, now, services }) => {
    const latest = await services.readings.latest(model.site.siteUuid)
    const climate = climateNow(model, space, latest, now)
    const times = climate.flatMap(({ timestamp }) => timestamp ?? [])
    const local = (at: number | null): string | null => (at === null ? null : model.zone.format(at))
    return {
      spaceId: space.legacyId,
      timestamp: local(times.length === 0 ? null : Math.max(...times)),
      ...Object.fromEntries(
        climate.map(({ metricType, value, unit, timestamp }) => [
          metricType,
          { value, unit, timestamp: local(timestamp) },
        ]),
      ),
    }
  },
)
