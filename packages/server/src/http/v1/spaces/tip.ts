import { SpaceTip } from '@portico/wire/v1/space'
import { climateNow, utilitiesNow } from '../../../domain/telemetry/insight/overview.ts'
import { chooseTip, readRecentDays } from '../../../domain/telemetry/insight/tip.ts'
import { spaceRoute } from '../route.ts'

export const spaceTip = spaceRoute(
  {
    summary: 'A tip for the resident of a space',
    description:
      'Chosen by rules from the measurements of the space itself, with the metric that it refers to and its value.',
    response: SpaceTip,
  },
  async ({ model, space, now, services }) => {
    const { aggregate, readings } = services
    const latest = await readings.latest(model.site.siteUuid)
    // Use of the space alone: a tip based on the flat's use would blame one resident for all.
    const own = { ...space, clusterUuid: null }
    const { text, metricType, value, unit, at } = chooseTip(
      climateNow(model, space, latest, now),
      await utilitiesNow(aggregate, model, own, latest, now),
      await readRecentDays(aggregate, model, own, now),
    )
    return {
      spaceId: space.legacyId,
      tip: text,
      metricType,
      value,
      unit,
      timestamp: at === null ? null : model.zone.format(at),
    }
  },
)
