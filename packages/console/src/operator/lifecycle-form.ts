import type { Lifecycle, LifecycleChange } from '@portico/sdk/operator'

/** The content of an endpoint's form: dates, and times in UTC without a zone, as in a browser's controls. */
export interface LifecycleForm {
  deprecated: string
  sunset: string
  blackouts: { from: string; to: string }[]
}

const toDay = (timestamp: string | null): string => timestamp?.slice(0, 10) ?? ''
const toMinute = (timestamp: string): string => timestamp.slice(0, 16)

export const toForm = ({ deprecatedAt, sunsetAt, blackouts }: Lifecycle): LifecycleForm => ({
  deprecated: toDay(deprecatedAt),
  sunset: toDay(sunsetAt),
  blackouts: blackouts.map(({ from, to }) => ({ from: toMinute(from), to: toMinute(to) })),
})

/** Why a form cannot be sent. */
export function findProblem({ deprecated, sunset, blackouts }: LifecycleForm): string | undefined {
  if (blackouts.some(({ from, to }) => from === '' || to === ''))
    return 'Each blackout needs a start and an end.'
  if (blackouts.some(({ from, to }) => to <= from)) return 'A blackout must end after its start.'
  if (deprecated !== '' && sunset !== '' && sunset < deprecated)
    return 'An endpoint cannot end before it is deprecated.'
  return undefined
}

/** The fields that differ from the stored values; undefined if none do. */
export function toChange(stored: Lifecycle, form: LifecycleForm): LifecycleChange | undefined {
  const before = toForm(stored)
  const change: LifecycleChange = { method: stored.method, path: stored.path }
  if (form.deprecated !== before.deprecated) change.deprecatedAt = form.deprecated || null
  if (form.sunset !== before.sunset) change.sunsetAt = form.sunset || null
  if (JSON.stringify(form.blackouts) !== JSON.stringify(before.blackouts))
    change.blackouts = form.blackouts.map(({ from, to }) => ({ from: `${from}:00Z`, to: `${to}:00Z` }))
  return Object.keys(change).length > 2 ? change : undefined
}
