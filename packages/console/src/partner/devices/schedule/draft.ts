import type { FieldError, ScheduleBody, Target, WeeklyPeriod, WeeklySchedule } from '@portico/sdk'
import { fitTarget, type Limits, type ScheduleType, toNearest } from './limits.ts'
import { findOverlaps } from './periods.ts'

export type OverrideEnd = 'durationMinutes' | 'until' | 'untilNextPeriod' | 'permanent'

/** The entered values, including those of types that are not selected. */
export interface Draft {
  type: ScheduleType
  /** The target of an override, a boost or a one-off. */
  target: Target
  overrideEnd: OverrideEnd
  durationMinutes: number
  /** Local times of the site, as an input of type datetime-local has them. */
  until: string
  startsAt: string
  endsAt: string
  boostMinutes: number
  hasBoostTarget: boolean
  default: Target
  periods: readonly WeeklyPeriod[]
  failIfOffline: boolean
  clientReference: string
}

const COMFORT_DEGC = 21
const SETBACK_DEGC = 16

/** A target that the device accepts. */
export function toFirstTarget({ temperature, hasPower, modes }: Limits, degC = COMFORT_DEGC): Target {
  if (temperature) return { temperature: toNearest(degC, temperature) }
  if (hasPower) return { power: degC === COMFORT_DEGC ? 'on' : 'off' }
  return modes[0] === undefined ? {} : { mode: modes[0] }
}

/** The initial content of the form: the current plan, and times in the next hours. */
export function toFirstDraft(
  limits: Limits,
  plan: WeeklySchedule | null,
  toLocal: (hoursAhead: number) => string,
): Draft {
  return {
    type: limits.types[0] ?? 'resume',
    target: toFirstTarget(limits),
    overrideEnd: 'durationMinutes',
    durationMinutes: 60,
    until: toLocal(2),
    startsAt: toLocal(1),
    endsAt: toLocal(3),
    boostMinutes: toNearest(30, limits.boostMinutes),
    hasBoostTarget: false,
    default: plan?.default ?? toFirstTarget(limits, SETBACK_DEGC),
    periods: plan?.periods ?? [],
    failIfOffline: false,
    clientReference: '',
  }
}

/** The draft within the limits, which may have changed since the plan was sent or the form was opened. */
export const fitDraft = (draft: Draft, limits: Limits): Draft => ({
  ...draft,
  target: fitTarget(limits, draft.target),
  default: fitTarget(limits, draft.default),
  periods: draft.periods.map((period) => ({ ...period, target: fitTarget(limits, period.target) })),
})

/** The body of the request. */
export function toBody(draft: Draft): ScheduleBody {
  const common = {
    ...(draft.failIfOffline && { failIfOffline: true }),
    ...(draft.clientReference !== '' && { clientReference: draft.clientReference }),
  }
  const target = toSentTarget(draft.target)
  switch (draft.type) {
    case 'override':
      return { type: 'override', target, ...toEnd(draft), ...common }
    case 'boost':
      return {
        type: 'boost',
        durationMinutes: draft.boostMinutes,
        ...(draft.hasBoostTarget && { target }),
        ...common,
      }
    case 'oneOff':
      return { type: 'oneOff', startsAt: draft.startsAt, endsAt: draft.endsAt, target, ...common }
    case 'weekly':
      return {
        type: 'weekly',
        default: toSentTarget(draft.default),
        periods: draft.periods.map((period) => ({ ...period, target: toSentTarget(period.target) })),
        ...common,
      }
    case 'resume':
      return { type: 'resume', ...common }
  }
}

export const isOff = ({ power, mode }: Target): boolean => power === 'off' || mode === 'off'

/** A target that is off has no temperature. */
function toSentTarget(target: Target): Target {
  if (!isOff(target)) return target
  const { temperature: _, ...rest } = target
  return rest
}

function toEnd({ overrideEnd, durationMinutes, until }: Draft): object {
  if (overrideEnd === 'durationMinutes') return { durationMinutes }
  return overrideEnd === 'until' ? { until } : { [overrideEnd]: true }
}

/** Errors that the controls cannot prevent, by field of the request. `now` is the local time of the site. */
export function findProblems(draft: Draft, now: string): FieldError[] {
  const problems: FieldError[] = []
  const report = (field: string, message: string): void => {
    problems.push({ field, code: 'form', message })
  }
  const checkTarget = (field: string, target: Target): void => {
    if (Object.keys(toSentTarget(target)).length === 0) report(field, 'Choose a target for the device.')
  }
  switch (draft.type) {
    case 'override':
      checkTarget('target', draft.target)
      if (draft.overrideEnd === 'until' && !(draft.until > now))
        report('until', 'Choose a time in the future.')
      break
    case 'boost':
      if (draft.hasBoostTarget) checkTarget('target', draft.target)
      break
    case 'oneOff':
      checkTarget('target', draft.target)
      if (draft.startsAt === '') report('startsAt', 'Choose when it starts.')
      if (!(draft.endsAt > draft.startsAt)) report('endsAt', 'Choose an end after the start.')
      else if (!(draft.endsAt > now)) report('endsAt', 'Choose a time in the future.')
      break
    case 'weekly': {
      checkTarget('default', draft.default)
      const overlaps = findOverlaps(draft.periods)
      for (const [index, { days, target }] of draft.periods.entries()) {
        checkTarget(`periods.${index}.target`, target)
        if (days.length === 0) report(`periods.${index}.days`, 'Choose at least one day.')
        const other = overlaps.get(index)
        if (other !== undefined) report(`periods.${index}`, `Overlaps period ${other + 1}.`)
      }
      break
    }
    case 'resume':
  }
  return problems
}
