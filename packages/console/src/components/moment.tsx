import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatMoment, formatRelative } from '../format.ts'

const UPDATE_MS = 30_000

/** A moment as a distance from now; the exact time is its title. */
export function Moment({
  at,
  never = 'never',
}: {
  at: number | string | null | undefined
  never?: string
}): JSX.Element {
  const [, update] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => update((value) => value + 1), UPDATE_MS)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <span class="quiet">{never}</span>
  const ms = typeof at === 'number' ? at : Date.parse(at)
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatMoment(ms)}>
      {formatRelative(ms)}
    </time>
  )
}
