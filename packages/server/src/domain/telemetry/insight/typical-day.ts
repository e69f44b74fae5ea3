import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { isMeasured, type MetricName, UTILITIES } from '../../metric/catalogue.ts'
import { toWindows } from '../../../calendar/window-edges.ts'
import { median } from '../../../kernel/statistics.ts'
import type { SeriesService } from '../series/service.ts'

const DAY_MS = 86_400_000
const DAYS = 14

/** Typical daily consumption of each utility of the space: the median of the two weeks before yesterday. */
export async function typicalDays(
  aggregate: SeriesService,
  model: SiteModel,
  space: SpaceRecord,
  now: number,
): Promise<Map<MetricName, number>> {
  const today = toWindows(model.zone, 'P1D', now, now + 1).from(0)
  // Without yesterday, which is compared with the result.
  const days = [...toWindows(model.zone, 'P1D', today - (DAYS + 1) * DAY_MS, today)].slice(0, -1)
  const usual = new Map<MetricName, number>()
  for (const metric of UTILITIES) {
    if (!isMeasured(metric) || !model.listMetrics(space.spaceUuid).includes(metric)) continue
    const uses = await aggregate.consumption(model, [space], metric, days)
    const middle = median(uses.filter((use) => !Number.isNaN(use)))
    if (middle !== null) usual.set(metric, middle)
  }
  return usual
}
