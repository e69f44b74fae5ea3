import type { JSX } from 'preact'
import { formatCount } from '../format.ts'
import type { DeviceCounts } from '@portico/sdk/operator'

/** Devices by presence, in words and as a bar. */
export function PresenceBar({ presence }: { presence: DeviceCounts }): JSX.Element {
  const { total, online, offline, unknown } = presence
  if (total === 0) return <span class="quiet">no devices</span>
  const parts = [
    ['online', online],
    ['offline', offline],
    ['unknown', unknown],
  ] as const
  return (
    <span class="presence">
      <span class="presence-bar" aria-hidden="true">
        {parts.map(([name, count]) => (
          <span key={name} class={name} style={{ flexGrow: count }} />
        ))}
      </span>
      <span class="presence-text">
        {formatCount(online)} of {formatCount(total)} online
        {offline > 0 && <span class="offline-count">, {formatCount(offline)} offline</span>}
        {unknown > 0 && `, ${formatCount(unknown)} never seen`}
      </span>
    </span>
  )
}
