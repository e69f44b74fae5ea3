import type { JSX } from 'preact'

/** The API warns below this level. */
const LOW_PERCENT = 15

/** The charge of a battery; "–" for a device without one. */
export function BatteryLevel({ percent }: { percent: number | null }): JSX.Element {
  if (percent === null) return <span class="quiet">–</span>
  const isLow = percent < LOW_PERCENT
  return (
    <span class={`battery ${isLow ? 'low' : ''}`}>
      <span class="battery-shape" aria-hidden="true">
        <span style={{ width: `${Math.max(6, Math.min(100, percent))}%` }} />
      </span>
      {Math.round(percent)} %{isLow && <span class="hidden"> (low)</span>}
    </span>
  )
}
