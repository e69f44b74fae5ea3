import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: string
  error?: string | undefined
  children: (props: { id: string; 'aria-describedby': string | undefined }) => ComponentChildren
}

/** A control with its label, a hint and its error. */
export function Field({ label, hint, error, children }: FieldProps): JSX.Element {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described })}
      {hint && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** Choices of which any number can be made. */
export function CheckboxGroup<T extends string>(props: {
  legend: string
  options: readonly { value: T; name: string; hint?: string }[]
  value: readonly T[]
  onChange: (value: T[]) => void
}): JSX.Element {
  const { legend, options, value, onChange } = props
  return (
    <fieldset class="checkboxes">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={value.includes(option.value)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked
                  ? [...value, option.value]
                  : value.filter((chosen) => chosen !== option.value),
              )
            }
          />
          <span>
            {option.name}
            {option.hint && <span class="quiet"> {option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
