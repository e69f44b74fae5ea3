import { countsAsUse, type MetricName, isMeasured, UTILITIES } from '../../metric/catalogue.ts'
import type { ClimateNow, UtilityNow } from './overview.ts'
import type { SpaceRecord } from '../../estate/inventory/inventory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import { toWindows } from '../../../calendar/window-edges.ts'
import { median } from '../../../kernel/statistics.ts'
import { toValue } from '../series/columns.ts'
import type { SeriesService } from '../series/service.ts'

interface Tip {
  text: string
  /** The metric that the tip is about; null for a general tip. */
  metricType: MetricName | null
  value: number | null
  unit: string | null
  at: number | null
}

interface ClimateRule {
  metric: MetricName
  applies(value: number): boolean
  text: string
}

/** In order of importance: health before cost. */
const CLIMATE_RULES: readonly ClimateRule[] = [
  { metric: 'co2', applies: (ppm) => ppm > 1200, text: 'The air is stale: open a window for a few minutes.' },
  {
    metric: 'pm25',
    applies: (ug) => ug > 25,
    text: 'There is fine dust in the air: use the extractor when cooking.',
  },
  {
    metric: 'humidity',
    applies: (percent) => percent > 70,
    text: 'The air is damp: air the room and dry clothes elsewhere, before mould can grow.',
  },
  {
    metric: 'temperature',
    applies: (degrees) => degrees > 24,
    text: 'It is warm in here: each degree less on the thermostat saves about six per cent of the heating.',
  },
  {
    metric: 'temperature',
    applies: (degrees) => degrees < 16,
    text: 'It is cold in here: keep windows shut while heating, and doors too.',
  },
  {
    metric: 'humidity',
    applies: (percent) => percent < 30,
    text: 'The air is dry: shorter airing and a lower temperature help.',
  },
]

interface UtilityRule {
  metric: MetricName
  text: string
}

const UTILITY_RULES: readonly UtilityRule[] = [
  {
    metric: 'electricity',
    text: 'Yesterday took more electricity than is usual here: look for what was left running.',
  },
  { metric: 'heating', text: 'Yesterday took more heat than is usual here: turn the heating down at night.' },
  { metric: 'gas', text: 'Yesterday took more gas than is usual here: turn the heating down at night.' },
  {
    metric: 'hotwater',
    text: 'Yesterday took more hot water than is usual here: a shorter shower saves the most.',
  },
  { metric: 'water', text: 'Yesterday took more water than is usual here: look for a tap that drips.' },
  { metric: 'cooling', text: 'Yesterday took more cooling than is usual here: shade the windows by day.' },
]

/** Consumption above this multiple of a typical day gives a tip. */
const MUCH_MORE = 1.25

/** One tip from the measurements of the space. */
export function chooseTip(
  climate: readonly ClimateNow[],
  now: readonly Pick<UtilityNow, 'metricType' | 'unit' | 'lastUpdated'>[],
  recent: ReadonlyMap<MetricName, RecentDays>,
): Tip {
  const utilities = now.map((use) => ({
    ...use,
    yesterday: null,
    usual: null,
    ...recent.get(use.metricType),
  }))
  for (const { metric, applies, text } of CLIMATE_RULES) {
    const current = climate.find(({ metricType, stale }) => metricType === metric && !stale)
    if (current && current.value !== null && applies(current.value))
      return { text, metricType: metric, value: current.value, unit: current.unit, at: current.timestamp }
  }
  const asTip = (text: string, use: (typeof utilities)[number]): Tip => ({
    text,
    metricType: use.metricType,
    value: use.yesterday,
    unit: use.unit,
    at: use.lastUpdated,
  })
  for (const { metric, text } of UTILITY_RULES) {
    const use = utilities.find(({ metricType }) => metricType === metric)
    const { yesterday = null, usual = null } = use ?? {}
    if (use && yesterday !== null && usual !== null && usual > 0 && yesterday > usual * MUCH_MORE)
      return asTip(text, use)
  }
  const use = utilities.find(({ metricType, yesterday }) => countsAsUse(metricType) && yesterday !== null)
  if (use) return asTip('Nothing out of the ordinary was used yesterday: keep it up.', use)
  const fresh = climate.find(({ stale }) => !stale)
  if (fresh) {
    const { metricType, value, unit, timestamp: at } = fresh
    return { text: 'The room is in good order: keep it up.', metricType, value, unit, at }
  }
  return {
    text: 'Switch off what nobody uses: it is the simplest saving of all.',
    metricType: null,
    value: null,
    unit: null,
    at: null,
  }
}

const DAY_MS = 86_400_000
const DAYS = 14

export interface RecentDays {
  /** Null if it is suspect, or nothing was measured. */
  yesterday: number | null
  /** Consumption of a typical day: the median of the two weeks before yesterday, without suspect days. */
  usual: number | null
}

/** The recent daily consumption of each utility of the space. */
export async function readRecentDays(
  aggregate: SeriesService,
  model: SiteModel,
  space: SpaceRecord,
  now: number,
): Promise<Map<MetricName, RecentDays>> {
  const today = toWindows(model.zone, 'P1D', now, now + 1).from(0)
  const days = toWindows(model.zone, 'P1D', today - (DAYS + 1) * DAY_MS, today)
  const recent = new Map<MetricName, RecentDays>()
  for (const metric of UTILITIES) {
    if (!isMeasured(metric) || !model.listMetrics(space.spaceUuid).includes(metric)) continue
    const uses = [...(await aggregate.dayValues(model, [space], metric, days))]
    const yesterday = toValue(uses.pop())
    recent.set(metric, { yesterday, usual: median(uses.filter((use) => !Number.isNaN(use))) })
  }
  return recent
}
