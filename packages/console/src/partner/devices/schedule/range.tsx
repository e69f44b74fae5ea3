import type { JSX } from 'preact'
import { Field } from '../../../components/form.tsx'
import { type NumberRange, toNearest } from './limits.ts'

interface RangeFieldProps {
  label: string
  range: NumberRange
  value: number
  onChange: (value: number) => void
  format: (value: number) => string
  error?: string | undefined
  disabled?: boolean
}

/** A number by slider or step by step. A value outside of the range cannot be chosen. */
export function RangeField(props: RangeFieldProps): JSX.Element {
  const { label, range, value, onChange, format, error, disabled = false } = props
  const { min, max, step } = range
  const move = (steps: number): void => onChange(toNearest(value + steps * step, range))
  return (
    <Field label={label} hint={`${format(min)} to ${format(max)}, in steps of ${format(step)}`} error={error}>
      {(field) => (
        <div class="range">
          <button
            type="button"
            class="button small"
            aria-label={`${label}: less`}
            disabled={disabled || value <= min}
            onClick={() => move(-1)}
          >
            −
          </button>
          <input
            {...field}
            type="range"
            min={min}
            max={max}
            step={step}
            value={value}
            disabled={disabled}
            aria-valuetext={format(value)}
            aria-invalid={error !== undefined}
            onInput={({ currentTarget }) => onChange(toNearest(currentTarget.valueAsNumber, range))}
          />
          <button
            type="button"
            class="button small"
            aria-label={`${label}: more`}
            disabled={disabled || value >= max}
            onClick={() => move(1)}
          >
            +
          </button>
          <output for={field.id}>{format(value)}</output>
        </div>
      )}
    </Field>
  )
}
