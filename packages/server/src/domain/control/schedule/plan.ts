import { type PlannedCommand, byNewest, hasScheduleType } from './planned-command.ts'
import type { Target } from './schedule.ts'
import { oneOffSpan, overrideSpan, type PlanSpan } from './spans.ts'
import { segmentsFrom, type WeeklyPlan, toWeeklyPlan } from './weekly.ts'

/** The targets of a device over time, combined from all its confirmed commands. */
export interface Plan {
  /** Spans that take precedence over the weekly plan, in order of precedence. */
  spans: readonly PlanSpan[]
  weekly: WeeklyPlan | null
}

export interface ActiveTarget {
  target: Target | null
  source: 'override' | 'boost' | 'oneOff' | 'weekly' | 'default' | 'none'
}

/**
 * Builds the plan of a device from its confirmed commands: the newest of each slot, and all one-offs. `boost` is the
 * target of a boost without one.
 */
export function buildPlan(confirmed: readonly PlannedCommand[], boost: Target): Plan {
  const newestFirst = confirmed.toSorted(byNewest)
  const newestWeekly = newestFirst.find((command) => hasScheduleType(command, 'weekly'))
  const newestOverride = newestFirst.find((command) =>
    hasScheduleType(command, 'override', 'boost', 'resume'),
  )
  const weekly = newestWeekly ? toWeeklyPlan(newestWeekly) : null
  const override = newestOverride && overrideSpan(newestOverride, weekly, boost)
  const oneOffs = newestFirst.filter((command) => hasScheduleType(command, 'oneOff')).map(oneOffSpan)
  return { spans: override ? [override, ...oneOffs] : oneOffs, weekly }
}

/** The active target at an instant, and when its target or source changes; null if they never do. */
export function activeAt(plan: Plan, t: number): ActiveTarget & { until: number | null } {
  const active = targetAt(plan, t)
  return { ...active, until: nextUnlike(plan, t, (other) => isSame(active, other)) }
}

/** The next instant after `t` at which another target becomes active. */
export function nextChange(plan: Plan, t: number): { at: number; target: Target | null } | null {
  const { target } = targetAt(plan, t)
  const at = nextUnlike(plan, t, (other) => isSameTarget(target, other.target))
  return at === null ? null : { at, target: targetAt(plan, at).target }
}

const spanAt = ({ spans }: Plan, t: number): PlanSpan | undefined =>
  spans.find(({ from, to }) => from <= t && t < to)

function targetAt(plan: Plan, t: number): ActiveTarget {
  const span = spanAt(plan, t)
  if (span) return { target: span.target, source: span.source }
  if (!plan.weekly || t < plan.weekly.from) return { target: null, source: 'none' }
  for (const { target, source } of segmentsFrom(plan.weekly, t)) return { target, source }
  return { target: null, source: 'none' }
}

/** Steps from boundary to boundary until an active target does not satisfy `isLike`. */
function nextUnlike(plan: Plan, t: number, isLike: (active: ActiveTarget) => boolean): number | null {
  let at = nextCandidate(plan, t, isLike)
  while (at !== null && isLike(targetAt(plan, at))) at = nextCandidate(plan, at, isLike)
  return at
}

function nextCandidate(plan: Plan, t: number, isLike: (active: ActiveTarget) => boolean): number | null {
  const span = spanAt(plan, t)
  // A span hides the weekly plan until it ends.
  const ownEnd = span ? span.to : nextUnlikeWeekly(plan.weekly, t, isLike)
  const starts = plan.spans.map(({ from }) => from).filter((from) => from > t)
  const at = Math.min(ownEnd, ...starts)
  return Number.isFinite(at) ? at : null
}

function nextUnlikeWeekly(
  weekly: WeeklyPlan | null,
  t: number,
  isLike: (active: ActiveTarget) => boolean,
): number {
  if (!weekly) return Number.POSITIVE_INFINITY
  if (t < weekly.from) return weekly.from
  for (const segment of segmentsFrom(weekly, t)) if (!isLike(segment)) return segment.at
  return Number.POSITIVE_INFINITY
}

const isSame = (a: ActiveTarget, b: ActiveTarget): boolean =>
  a.source === b.source && isSameTarget(a.target, b.target)

export const isSameTarget = (a: Target | null, b: Target | null): boolean =>
  a?.temperature === b?.temperature && a?.power === b?.power && a?.mode === b?.mode
