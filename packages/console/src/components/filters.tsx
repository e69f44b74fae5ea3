import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { getQuery, setQuery } from '../route.ts'
import { Field } from './form.tsx'

/** Filters of a list, side by side. */
export function Filters({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <div class="filters" role="search">
      {children}
    </div>
  )
}

interface FilterProps {
  label: string
  /** The parameter of the address that holds the choice. */
  name: string
}

/** A choice that is part of the address. */
export function SelectFilter({
  label,
  name,
  options,
  all = 'All',
}: FilterProps & { options: readonly { value: string; name: string }[]; all?: string }): JSX.Element {
  const chosen = getQuery(name) ?? ''
  // A choice from a link is shown even if the list does not offer it yet.
  const isMissing = chosen !== '' && !options.some(({ value }) => value === chosen)
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={chosen}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        >
          <option value="">{all}</option>
          {isMissing && <option value={chosen}>{chosen}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const TYPING_MS = 250

/** A search text that is part of the address. */
export function TextFilter({ label, name, hint }: FilterProps & { hint?: string }): JSX.Element {
  const [text, setText] = useState(getQuery(name) ?? '')
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ [name]: text.trim() }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, name])
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="search"
          placeholder={hint}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A day that is part of the address. */
export function DateFilter({ label, name }: FilterProps): JSX.Element {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={getQuery(name) ?? ''}
          onInput={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        />
      )}
    </Field>
  )
}
