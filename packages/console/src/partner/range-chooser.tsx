import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../components/form.tsx'
import { getQuery, setQuery } from '../route.ts'
import { addDays, type ChosenRange, MAX_DAYS, parseRange, RANGES, toDays } from './range.ts'

/** The range in the address of the page. */
export const getRange = (): ChosenRange => parseRange(getQuery('range'), getQuery('from'), getQuery('to'))

/** Chooses the range of all charts of a page. It is part of the address. */
export function RangeChooser({ today }: { today: string }): JSX.Element {
  const range = getRange()
  const [isCustom, setCustom] = useState(range.name === 'custom')
  const choose = (name: string): void => {
    setCustom(name === 'custom')
    if (name === 'custom') return
    setQuery({ range: name === '24h' ? undefined : name, from: undefined, to: undefined })
  }
  const days = toDays(range, today) ?? { from: today, to: today }
  return (
    <div class="range">
      <fieldset class="choice">
        <legend class="hidden">Range</legend>
        {RANGES.map(({ value, name }) => (
          <label key={value}>
            <input
              type="radio"
              name="range"
              checked={isCustom ? value === 'custom' : value === range.name}
              onChange={() => choose(value)}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      {isCustom && <CustomRange key={`${days.from} ${days.to}`} {...days} today={today} />}
    </div>
  )
}

function CustomRange(props: { from: string; to: string; today: string }): JSX.Element {
  const [from, setFrom] = useState(props.from)
  const [to, setTo] = useState(props.to)
  const isBackwards = from > to
  return (
    <form
      class="filters"
      aria-label="Custom range"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBackwards) setQuery({ range: 'custom', from, to })
      }}
    >
      <Field label="From">
        {(control) => (
          <input
            {...control}
            type="date"
            required
            min={addDays(props.today, -MAX_DAYS)}
            max={props.today}
            value={from}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="To" error={isBackwards ? 'must not be before the start' : undefined}>
        {(control) => (
          <input
            {...control}
            type="date"
            required
            max={props.today}
            value={to}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
        )}
      </Field>
      <button class="button" disabled={isBackwards}>
        Show
      </button>
    </form>
  )
}
