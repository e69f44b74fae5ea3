import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../components/form.tsx'
import { getQuery, setQuery } from '../route.ts'

interface SelectProps {
  label: string
  /** Name in the query of the address. */
  name: string
  /** Label of the option that does not filter. */
  all?: string
  options: readonly (readonly [value: string, name: string])[]
}

/** A filter of a page as a list of choices; the choice is in the address. */
export function Select({ label, name, all = 'All', options }: SelectProps): JSX.Element {
  const value = getQuery(name) ?? ''
  // A choice that is not offered, such as one that has not been loaded, stays visible.
  const isUnknown = value !== '' && !options.some(([option]) => option === value)
  return (
    <Field label={label}>
      {(field) => (
        <select
          {...field}
          value={value}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        >
          <option value="">{all}</option>
          {isUnknown && <option value={value}>{value}</option>}
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const TYPING_MS = 200
/** Limit of the API. */
const MAX_CHARACTERS = 100

/** A filter by text; the address follows when typing pauses. */
export function TextFilter({ label, name }: { label: string; name: string }): JSX.Element {
  const inAddress = getQuery(name) ?? ''
  const [text, setText] = useState(inAddress)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Another control may clear the filters.
  useEffect(() => {
    if (inAddress === '') setText('')
  }, [inAddress])
  const change = (value: string): void => {
    setText(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setQuery({ [name]: value.trim() }), TYPING_MS)
  }
  return (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          type="search"
          maxLength={MAX_CHARACTERS}
          value={text}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </Field>
  )
}
