import type { FieldError, Target } from '@portico/sdk'
import type { JSX } from 'preact'
import { Field } from '../../../components/form.tsx'
import { formatValue, toWords } from '../../../format.ts'
import { Choice } from './choice.tsx'
import { isOff } from './draft.ts'
import { findMessage } from './errors.ts'
import { findTemperatures, fitTarget, type Limits, type Mode, toNearest } from './limits.ts'
import { RangeField } from './range.tsx'

interface TargetFieldsProps {
  legend: string
  /** The target in the request, for its errors: `periods.0.target`. */
  field: string
  limits: Limits
  value: Target
  onChange: (value: Target) => void
  errors: readonly FieldError[]
}

type Power = NonNullable<Target['power']> | 'unchanged'

/** The target of the device: only values that it accepts can be chosen. */
export function TargetFields({
  legend,
  field,
  limits,
  value,
  onChange,
  errors,
}: TargetFieldsProps): JSX.Element {
  const { hasPower, modes } = limits
  const { temperature, power, mode, ...rest } = value
  const range = findTemperatures(limits, value)
  const change = (changes: { [K in keyof Target]: Target[K] | undefined }): void => {
    const entries = Object.entries({ temperature, power, mode, ...rest, ...changes })
    onChange(fitTarget(limits, Object.fromEntries(entries.filter((entry) => entry[1] !== undefined))))
  }
  // If only the temperature can be set, it is always set.
  const isOptional = hasPower || modes.length > 0
  const problem = findMessage(errors, field)
  return (
    <fieldset class="target">
      <legend>{legend}</legend>
      {hasPower && (
        <Choice<Power>
          legend="Power"
          options={[
            ...(limits.temperature || modes.length > 0
              ? [{ value: 'unchanged' as const, name: 'As it is' }]
              : []),
            { value: 'on', name: 'On' },
            { value: 'off', name: 'Off' },
          ]}
          value={power ?? 'unchanged'}
          onChange={(chosen) => change({ power: chosen === 'unchanged' ? undefined : chosen })}
        />
      )}
      {modes.length > 0 && (
        <Field label="Mode" error={findMessage(errors, `${field}.mode`)}>
          {(props) => (
            <select
              {...props}
              value={mode ?? ''}
              onChange={({ currentTarget }) =>
                change({ mode: currentTarget.value === '' ? undefined : (currentTarget.value as Mode) })
              }
            >
              <option value="">As it is</option>
              {modes.map((one) => (
                <option key={one} value={one}>
                  {toWords(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {range && isOptional && (
        <label class="check">
          <input
            type="checkbox"
            checked={temperature !== undefined && !isOff(value)}
            disabled={isOff(value)}
            onChange={({ currentTarget }) =>
              change({ temperature: currentTarget.checked ? toNearest(21, range) : undefined })
            }
          />
          <span>Set a temperature</span>
          {isOff(value) && <span class="quiet">A target that is off has none.</span>}
        </label>
      )}
      {range && temperature !== undefined && !isOff(value) && (
        <RangeField
          label="Temperature"
          range={range}
          value={temperature}
          onChange={(chosen) => change({ temperature: chosen })}
          format={(degC) => formatValue(degC, 'degC')}
          error={findMessage(errors, `${field}.temperature`)}
        />
      )}
      {problem && <p class="field-error">{problem}</p>}
    </fieldset>
  )
}
