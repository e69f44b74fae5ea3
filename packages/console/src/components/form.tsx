import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { formatCount } from '../format.ts'

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

/** The number of choices shown without a search field. */
const MOST_CHOICES = 30

const matches = (name: string, search: string): boolean =>
  name.toLowerCase().includes(search.trim().toLowerCase())

/** Choices of which any number can be made. */
export function CheckboxGroup<T extends string>(props: {
  legend: string
  options: readonly { value: T; name: string; hint?: string }[]
  value: readonly T[]
  onChange: (value: T[]) => void
}): JSX.Element {
  const { legend, options, value, onChange } = props
  const [search, setSearch] = useState('')
  const isLong = options.length > MOST_CHOICES
  const matching = isLong ? options.filter(({ name }) => matches(name, search)) : options
  const hidden = matching.length - MOST_CHOICES
  return (
    <fieldset class="checkboxes">
      <legend>{legend}</legend>
      {isLong && (
        <>
          <input
            type="search"
            aria-label={`Search ${legend.toLowerCase()}`}
            placeholder="Search"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <p class="quiet" role="status">
            {formatCount(value.length)} of {formatCount(options.length)} chosen
            {matching.length === 0 && '; none has this name'}
            {hidden > 0 && `; ${formatCount(hidden)} more match: search for a name`}
          </p>
        </>
      )}
      {matching.slice(0, isLong ? MOST_CHOICES : undefined).map((option) => (
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
