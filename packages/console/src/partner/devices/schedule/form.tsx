import { ApiError, type Command, type Device, type DeviceSchedule, type FieldError } from '@portico/sdk'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { send, v2 } from '../../../api.ts'
import { Field } from '../../../components/form.tsx'
import { ShowCall } from '../../../components/show-call.tsx'
import { ErrorNote } from '../../../components/states.tsx'
import { useAction } from '../../../resource.ts'
import { toLocalInput } from '../../site-time.ts'
import { describeMinutes, toTypeName } from '../words.ts'
import { Choice } from './choice.tsx'
import {
  type Draft,
  findProblems,
  fitDraft,
  type OverrideEnd,
  toBody,
  toFirstDraft,
  toFirstTarget,
} from './draft.ts'
import { findMessage, listFieldErrors } from './errors.ts'
import type { Limits, ScheduleType } from './limits.ts'
import { RangeField } from './range.tsx'
import { TargetFields } from './target.tsx'
import { WeeklyFields } from './weekly.tsx'

interface ScheduleFormProps {
  siteId: string
  device: Device
  limits: Limits
  schedule: DeviceSchedule
  onSent: (command: Command) => void
  /** Draws a weekly plan while it is edited. */
  preview: (draft: Pick<Draft, 'default' | 'periods'>) => JSX.Element
}

const HINTS: Readonly<Record<ScheduleType, string>> = {
  override: 'Another target from now on.',
  boost: 'The highest output of the device, for a limited time.',
  oneOff: 'Another target for one period, such as an evening.',
  weekly: 'A plan that repeats every week. It replaces the current one.',
  resume: 'Ends overrides and boosts: the device returns to its plan.',
}

const HOUR_MS = 3_600_000

/** Sends a schedule to a device. The controls offer only what the device accepts. */
export function ScheduleForm(props: ScheduleFormProps): JSX.Element {
  const { siteId, device, limits, schedule, onSent, preview } = props
  const { timeZone } = schedule
  const [entered, setDraft] = useState(() =>
    toFirstDraft(limits, schedule.plan, (hours) => toLocalInput(Date.now() + hours * HOUR_MS, timeZone)),
  )
  const draft = fitDraft(entered, limits)
  const [isChecked, setChecked] = useState(false)
  const keyOfBody = useRef<{ text: string; key: string } | undefined>(undefined)
  const now = toLocalInput(Date.now(), timeZone)
  const problems = findProblems(draft, now)
  const body = toBody(draft)
  const call = v2('POST', `/devices/${device.deviceUuid}/schedule`, { siteId, body })

  const action = useAction(async () => {
    const { data } = await send<Command>(call, { idempotencyKey: toKey(JSON.stringify(body)) })
    keyOfBody.current = undefined
    setChecked(false)
    onSent(data)
  })
  /** The same key for the same content, so that a retry after a lost response sends no second command. */
  const toKey = (text: string): string => {
    if (keyOfBody.current?.text !== text) keyOfBody.current = { text, key: crypto.randomUUID() }
    return keyOfBody.current.key
  }
  const change = (changes: Partial<Draft>): void => {
    setDraft((held) => ({ ...held, ...changes }))
    action.clear()
  }
  const errors: readonly FieldError[] = [
    ...listFieldErrors(action.error),
    ...(isChecked || draft.type === 'weekly' ? problems : []),
  ]
  const submit = (event: Event): void => {
    event.preventDefault()
    setChecked(true)
    if (problems.length === 0) void action.run()
  }
  return (
    <form class="stack schedule-form" onSubmit={submit} noValidate>
      <Choice<ScheduleType>
        legend="Type"
        options={limits.types.map((type) => ({ value: type, name: toTypeName(type) }))}
        value={draft.type}
        onChange={(type) => change({ type })}
      />
      <p class="quiet">{HINTS[draft.type]}</p>
      <TypeFields
        draft={draft}
        limits={limits}
        now={now}
        timeZone={timeZone}
        hasPeriods={(schedule.plan?.periods.length ?? 0) > 0}
        errors={errors}
        onChange={change}
      />
      {draft.type === 'weekly' && preview(draft)}
      <MoreFields draft={draft} onChange={change} />
      {isChecked && problems.length > 0 && (
        <p class="note error" role="alert">
          Nothing was sent: see the marked fields.
        </p>
      )}
      <SendError error={action.error} />
      <div class="actions">
        <button class="button primary" disabled={action.isRunning}>
          {action.isRunning ? 'Sending…' : 'Send'}
        </button>
        <ShowCall calls={[call]} subject="Send a schedule" />
      </div>
    </form>
  )
}

interface TypeFieldsProps {
  draft: Draft
  limits: Limits
  now: string
  timeZone: string
  hasPeriods: boolean
  errors: readonly FieldError[]
  onChange: (changes: Partial<Draft>) => void
}

function TypeFields(props: TypeFieldsProps): JSX.Element | null {
  const { draft, limits, now, timeZone, errors, onChange } = props
  const target = (
    <TargetFields
      legend="Target"
      field="target"
      limits={limits}
      value={draft.target}
      onChange={(value) => onChange({ target: value })}
      errors={errors}
    />
  )
  switch (draft.type) {
    case 'override':
      return (
        <>
          {target}
          <EndFields {...props} />
        </>
      )
    case 'boost':
      return (
        <>
          <RangeField
            label="Duration"
            range={limits.boostMinutes}
            value={draft.boostMinutes}
            onChange={(boostMinutes) => onChange({ boostMinutes })}
            format={describeMinutes}
            error={findMessage(errors, 'durationMinutes')}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={draft.hasBoostTarget}
              onChange={({ currentTarget }) => onChange({ hasBoostTarget: currentTarget.checked })}
            />
            <span>A target of my own instead of the most that is possible</span>
          </label>
          {draft.hasBoostTarget && target}
        </>
      )
    case 'oneOff':
      return (
        <>
          {target}
          <LocalTimeField
            label="Starts"
            timeZone={timeZone}
            value={draft.startsAt}
            error={findMessage(errors, 'startsAt')}
            onChange={(startsAt) => onChange({ startsAt })}
          />
          <LocalTimeField
            label="Ends"
            timeZone={timeZone}
            min={draft.startsAt > now ? draft.startsAt : now}
            value={draft.endsAt}
            error={findMessage(errors, 'endsAt')}
            onChange={(endsAt) => onChange({ endsAt })}
          />
        </>
      )
    case 'weekly':
      return (
        <WeeklyFields
          limits={limits}
          fallback={draft.default}
          periods={draft.periods}
          newTarget={toFirstTarget(limits)}
          errors={errors}
          onChange={onChange}
        />
      )
    case 'resume':
      return null
  }
}

/** Durations of an override, in minutes. */
const DURATIONS = [15, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1440, 2880, 4320, 10_080]

function EndFields({ draft, now, timeZone, hasPeriods, errors, onChange }: TypeFieldsProps): JSX.Element {
  const { overrideEnd } = draft
  return (
    <>
      <Choice<OverrideEnd>
        legend="Until"
        options={[
          { value: 'durationMinutes', name: 'For a time' },
          { value: 'until', name: 'A time' },
          ...(hasPeriods ? [{ value: 'untilNextPeriod' as const, name: 'The next period' }] : []),
          { value: 'permanent', name: 'The next command' },
        ]}
        value={overrideEnd}
        onChange={(chosen) => onChange({ overrideEnd: chosen })}
      />
      {overrideEnd === 'durationMinutes' && (
        <Field label="Duration" error={findMessage(errors, 'durationMinutes')}>
          {(field) => (
            <select
              {...field}
              value={draft.durationMinutes}
              onChange={({ currentTarget }) => onChange({ durationMinutes: Number(currentTarget.value) })}
            >
              {DURATIONS.map((minutes) => (
                <option key={minutes} value={minutes}>
                  {describeMinutes(minutes)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {overrideEnd === 'until' && (
        <LocalTimeField
          label="Ends"
          timeZone={timeZone}
          min={now}
          value={draft.until}
          error={findMessage(errors, 'until')}
          onChange={(until) => onChange({ until })}
        />
      )}
      {overrideEnd === 'untilNextPeriod' && findMessage(errors, 'untilNextPeriod') && (
        <p class="field-error">{findMessage(errors, 'untilNextPeriod')}</p>
      )}
    </>
  )
}

interface LocalTimeFieldProps {
  label: string
  timeZone: string
  min?: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** A local time of the site. The server resolves it in the time zone of the site. */
function LocalTimeField({ label, timeZone, min, value, error, onChange }: LocalTimeFieldProps): JSX.Element {
  return (
    <Field label={label} hint={`Local time of the site (${timeZone})`} error={error}>
      {(field) => (
        <input
          {...field}
          type="datetime-local"
          min={min}
          value={value}
          aria-invalid={error !== undefined}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}

function MoreFields({
  draft,
  onChange,
}: {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}): JSX.Element {
  return (
    <details class="more">
      <summary>Options</summary>
      <div class="stack">
        <label class="check">
          <input
            type="checkbox"
            checked={draft.failIfOffline}
            onChange={({ currentTarget }) => onChange({ failIfOffline: currentTarget.checked })}
          />
          <span>Fail immediately if the device is offline, instead of waiting for it</span>
        </label>
        <Field label="Reference of your own" hint="Returned with the command, such as a booking.">
          {(field) => (
            <input
              {...field}
              type="text"
              maxLength={255}
              value={draft.clientReference}
              onInput={({ currentTarget }) => onChange({ clientReference: currentTarget.value })}
            />
          )}
        </Field>
      </div>
    </details>
  )
}

/** Errors that belong to no field; the others are shown at their fields. */
function SendError({ error }: { error: Error | undefined }): JSX.Element | null {
  if (!error) return null
  if (error instanceof ApiError && error.errors.length > 0)
    return (
      <p class="note error" role="alert">
        {error.problem?.detail.replace('; see `errors`', '') ?? 'The schedule was not accepted.'} See the
        marked fields.
      </p>
    )
  return <ErrorNote error={error} />
}
