import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

/** A choice among a few options, side by side. */
export function Choice<T extends string>(props: {
  legend: string
  isLegendHidden?: boolean
  options: readonly { value: T; name: string; isDisabled?: boolean }[]
  value: T
  onChange: (value: T) => void
}): JSX.Element {
  const { legend, isLegendHidden, options, value, onChange } = props
  const name = useId()
  return (
    <fieldset class="choice-field">
      <legend class={isLegendHidden ? 'hidden' : ''}>{legend}</legend>
      <div class="choice">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              disabled={option.isDisabled}
              onChange={() => onChange(option.value)}
            />
            <span>{option.name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
