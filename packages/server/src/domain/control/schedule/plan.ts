import type { Bounds } from '../../estate/inventory/inventory.ts'
import { type PlannedCommand, byNewest, hasScheduleType } from './planned-command.ts'
import type { Target } from './schedule.ts'
import { oneOffSpan, overrideSpan, type PlanSpan } from './spans.ts'
import { segmentsFrom, type WeeklyPlan, toWeeklyPlan } from './weekly.ts'

/** What a device is to do and when, all its confirmed commands taken together. */
export interface Plan {
  /** What goes before the weekly plan, the first that holds first. */
  spans: readonly PlanSpan[]
  weekly: WeeklyPlan | null
}

export interface ActiveTarget {
  target: Target | null
  source: 'override' | 'boost' | 'oneOff' | 'weekly' | 'default' | 'none'
}

/**
 * The plan that confirmed commands of one device make: of each slot the newest counts, of one-offs all. `bounds` are
 * those of the device and its site together, undefined for a device without a setpoint.
 */
export function buildPlan(confirmed: readonly PlannedCommand[], bounds: Bounds | undefined): Plan {
  const newestFirst = confirmed.toSorted(byNewest)
  const newestWeekly = newestFirst.find((command) => hasScheduleType(command, 'weekly'))
  const newestOverride = newestFirst.find((command) =>
    hasScheduleType(command, 'override', 'boost', 'resume'),
  )
  const weekly = newestWeekly ? toWeeklyPlan(newestWeekly) : null
  const override = newestOverride && overrideSpan(newestOverride, weekly, bounds)
  const oneOffs = newestFirst.filter((command) => hasScheduleType(command, 'oneOff')).map(oneOffSpan)
  return { spans: override ? [override, ...oneOffs] : oneOffs, weekly }
}

/** What holds at an instant, and until when both target and source stay as they are; null: for good. */
export function activeAt(plan: Plan, t: number): ActiveTarget & { until: number | null } {
  const held = heldAt(plan, t)
  return { ...held, until: nextUnlike(plan, t, (other) => isSame(held, other)) }
}

/** The next instant after `t` at which another target holds. */
export function nextChange(plan: Plan, t: number): { at: number; target: Target | null } | null {
  const { target } = heldAt(plan, t)
  const at = nextUnlike(plan, t, (other) => isSameTarget(target, other.target))
  return at === null ? null : { at, target: heldAt(plan, at).target }
}

const spanAt = ({ spans }: Plan, t: number): PlanSpan | undefined =>
  spans.find(({ from, to }) => from <= t && t < to)

function heldAt(plan: Plan, t: number): ActiveTarget {
  const span = spanAt(plan, t)
  if (span) return { target: span.target, source: span.source }
  if (!plan.weekly || t < plan.weekly.from) return { target: null, source: 'none' }
  for (const { target, source } of segmentsFrom(plan.weekly, t)) return { target, source }
  return { target: null, source: 'none' }
}

/** Goes from edge to edge until something holds that is not like before. */
function nextUnlike(plan: Plan, t: number, isLike: (held: ActiveTarget) => boolean): number | null {
  let at = nextCandidate(plan, t, isLike)
  while (at !== null && isLike(heldAt(plan, at))) at = nextCandidate(plan, at, isLike)
  return at
}

function nextCandidate(plan: Plan, t: number, isLike: (held: ActiveTarget) => boolean): number | null {
  const span = spanAt(plan, t)
  // Below a span nothing shows: the weekly plan is asked again where the span ends.
  const ownEnd = span ? span.to : nextUnlikeWeekly(plan.weekly, t, isLike)
  const starts = plan.spans.map(({ from }) => from).filter((from) => from > t)
  const at = Math.min(ownEnd, ...starts)
  return Number.isFinite(at) ? at : null
}

function nextUnlikeWeekly(
  weekly: WeeklyPlan | null,
  t: number,
  isLike: (held: ActiveTarget) => boolean,
): number {
  if (!weekly) return Number.POSITIVE_INFINITY
  if (t < weekly.from) return weekly.from
  for (const part of segmentsFrom(weekly, t)) if (!isLike(part)) return part.at
  return Number.POSITIVE_INFINITY
}

const isSame = (a: ActiveTarget, b: ActiveTarget): boolean =>
  a.source === b.source && isSameTarget(a.target, b.target)

export const isSameTarget = (a: Target | null, b: Target | null): boolean =>
  a?.temperature === b?.temperature && a?.power === b?.power
