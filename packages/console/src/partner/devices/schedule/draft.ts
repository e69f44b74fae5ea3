import type { FieldError, ScheduleBody, Target, WeeklyPeriod, WeeklySchedule } from '@portico/sdk'
import { type Limits, type ScheduleType, toNearest } from './limits.ts'
import { findOverlaps } from './periods.ts'

export type OverrideEnd = 'durationMinutes' | 'until' | 'untilNextPeriod' | 'permanent'

/** What has been entered, also for the types that are not chosen at present. */
export interface Draft {
  type: ScheduleType
  /** Of an override, a boost or a one-off. */
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

/** What the form begins with: the present plan, and times of the next hours. */
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

/** What the controls cannot prevent, with the fields of the request. `now` is the local time of the site. */
export function findProblems(draft: Draft, now: string): FieldError[] {
  const problems: FieldError[] = []
  const report = (field: string, message: string): void => {
    problems.push({ field, code: 'form', message })
  }
  const checkTarget = (field: string, target: Target): void => {
    if (Object.keys(toSentTarget(target)).length === 0) report(field, 'Choose what the device is to do.')
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
