import type { JSX } from 'preact'
import { canBeTime, toClock, toMinutes } from './limits.ts'

interface ClockFieldProps {
  legend: string
  /** A word after the time. */
  note?: string | undefined
  minuteStep: number
  /** The end of a period may be 24:00. */
  isEnd?: boolean
  value: string
  onChange: (value: string) => void
}

const HOURS = Array.from({ length: 25 }, (_, hour) => hour)
const MINUTES = Array.from({ length: 60 }, (_, minute) => minute)

/** A time of day, restricted to the steps of the device. */
export function ClockField({
  legend,
  note,
  minuteStep,
  isEnd = false,
  value,
  onChange,
}: ClockFieldProps): JSX.Element {
  const minutes = toMinutes(value)
  const hour = Math.floor(minutes / 60)
  const listMinutes = (of: number): number[] =>
    MINUTES.filter((minute) => canBeTime(of * 60 + minute, minuteStep, isEnd))
  const choose = (newHour: number, minute: number): void => {
    const choices = listMinutes(newHour)
    const nearest = choices.findLast((choice) => choice <= minute) ?? choices[0]
    if (nearest !== undefined) onChange(toClock(newHour * 60 + nearest))
  }
  return (
    <fieldset class="clock">
      <legend>{legend}</legend>
      <select
        aria-label={`${legend}, hour`}
        value={hour}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value), minutes % 60)}
      >
        {HOURS.filter((one) => listMinutes(one).length > 0).map((one) => (
          <option key={one} value={one}>
            {String(one).padStart(2, '0')}
          </option>
        ))}
      </select>
      <span aria-hidden="true">:</span>
      <select
        aria-label={`${legend}, minute`}
        value={minutes % 60}
        onChange={({ currentTarget }) => choose(hour, Number(currentTarget.value))}
      >
        {listMinutes(hour).map((one) => (
          <option key={one} value={one}>
            {String(one).padStart(2, '0')}
          </option>
        ))}
      </select>
      {note && <span class="quiet">{note}</span>}
    </fieldset>
  )
}
