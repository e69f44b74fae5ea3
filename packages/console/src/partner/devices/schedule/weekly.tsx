import type { FieldError, Target, WeeklyPeriod } from '@portico/sdk'
import type { JSX } from 'preact'
import { plural } from '../../../format.ts'
import { toDayName } from '../words.ts'
import { findMessage } from './errors.ts'
import { type Limits, WEEKDAYS } from './limits.ts'
import { findFreePeriod, listFullDays } from './periods.ts'
import { TargetFields } from './target.tsx'
import { ClockField } from './time.tsx'

interface WeeklyFieldsProps {
  limits: Limits
  fallback: Target
  periods: readonly WeeklyPeriod[]
  /** The target of a new period. */
  newTarget: Target
  errors: readonly FieldError[]
  onChange: (changes: { default?: Target; periods?: readonly WeeklyPeriod[] }) => void
}

/** The editor of a weekly plan. */
export function WeeklyFields(props: WeeklyFieldsProps): JSX.Element {
  const { limits, fallback, periods, newTarget, errors, onChange } = props
  const free = findFreePeriod(periods, limits, newTarget)
  const replace = (index: number, period: WeeklyPeriod): void =>
    onChange({ periods: periods.map((held, position) => (position === index ? period : held)) })
  return (
    <>
      <TargetFields
        legend="Outside of all periods"
        field="default"
        limits={limits}
        value={fallback}
        onChange={(target) => onChange({ default: target })}
        errors={errors}
      />
      <ol class="periods">
        {periods.map((period, index) => (
          <li key={index}>
            <PeriodFields
              number={index + 1}
              limits={limits}
              period={period}
              fullDays={listFullDays(periods, index, limits)}
              field={`periods.${index}`}
              errors={errors}
              onChange={(changed) => replace(index, changed)}
              onRemove={() => onChange({ periods: periods.filter((_, position) => position !== index) })}
            />
          </li>
        ))}
      </ol>
      <p class="actions">
        <button
          type="button"
          class="button"
          disabled={!free}
          onClick={() => free && onChange({ periods: [...periods, free] })}
        >
          Add a period
        </button>
        <span class="quiet">
          {free
            ? `At most ${plural(limits.maxPeriodsPerDay, 'period')} a day, in steps of ${plural(limits.minuteStep, 'minute')}.`
            : 'No day has room for another period.'}
        </span>
      </p>
      {findMessage(errors, 'periods') && <p class="field-error">{findMessage(errors, 'periods')}</p>}
    </>
  )
}

interface PeriodFieldsProps {
  number: number
  limits: Limits
  period: WeeklyPeriod
  fullDays: readonly string[]
  field: string
  errors: readonly FieldError[]
  onChange: (period: WeeklyPeriod) => void
  onRemove: () => void
}

function PeriodFields(props: PeriodFieldsProps): JSX.Element {
  const { number, limits, period, fullDays, field, errors, onChange, onRemove } = props
  const { days, start, end } = period
  const problems = [field, `${field}.days`, `${field}.start`, `${field}.end`].flatMap(
    (name) => findMessage(errors, name) ?? [],
  )
  return (
    <fieldset class="period">
      <legend>Period {number}</legend>
      <fieldset class="days">
        <legend>Days</legend>
        {WEEKDAYS.map((day) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={days.includes(day)}
              disabled={!days.includes(day) && fullDays.includes(day)}
              onChange={({ currentTarget }) =>
                onChange({
                  ...period,
                  days: WEEKDAYS.filter((one) => (one === day ? currentTarget.checked : days.includes(one))),
                })
              }
            />
            <span>{toDayName(day)}</span>
          </label>
        ))}
      </fieldset>
      <div class="times">
        <ClockField
          legend="From"
          minuteStep={limits.minuteStep}
          value={start}
          onChange={(chosen) => onChange({ ...period, start: chosen })}
        />
        <ClockField
          legend="To"
          note={end > start ? undefined : 'next day'}
          minuteStep={limits.minuteStep}
          isEnd
          value={end}
          onChange={(chosen) => onChange({ ...period, end: chosen })}
        />
      </div>
      <TargetFields
        legend="Target"
        field={`${field}.target`}
        limits={limits}
        value={period.target}
        onChange={(target) => onChange({ ...period, target })}
        errors={errors}
      />
      {problems.map((problem) => (
        <p key={problem} class="field-error">
          {problem}
        </p>
      ))}
      <button type="button" class="button small" onClick={onRemove}>
        Remove<span class="hidden"> period {number}</span>
      </button>
    </fieldset>
  )
}
