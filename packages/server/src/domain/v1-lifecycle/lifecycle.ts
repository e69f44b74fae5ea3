import type { Actor } from '../identity/audit.ts'
import { AppError, type FieldError } from '../../kernel/errors.ts'
import { TtlCache } from '../../kernel/cache.ts'
import { type Clock, isoInstant } from '../../kernel/clock.ts'
import { DEPRECATED_SINCE, findEndpoint, V1_CATALOGUE, type V1Endpoint } from './catalogue.ts'
import type { Blackout, LifecycleChange, LifecycleOverride, LifecycleStore } from './store.ts'

/** Delay after which a change by another program takes effect; a change by this server takes effect immediately. */
const FRESH_MS = 2_000

/** An endpoint of version 1 with its effective dates. */
export interface EndpointLifecycle {
  endpoint: V1Endpoint
  /** Null if it is not deprecated. */
  deprecatedAt: number | null
  sunsetAt: number | null
  blackouts: readonly Blackout[]
}

export interface Lifecycle {
  /** Every endpoint, in the order of the catalogue. */
  list(): Promise<EndpointLifecycle[]>
  find(endpoint: V1Endpoint): Promise<EndpointLifecycle>
  /** Changes only the given endpoints; in effect when it resolves. */
  change(changes: readonly LifecycleChange[], actor: Actor): Promise<EndpointLifecycle[]>
  /** Call when the dates have changed. */
  invalidate(): void
}

/** Why an endpoint returns 410: its sunset has passed, or a blackout rehearses it. */
export type Retirement = { reason: 'sunset'; since: number } | { reason: 'blackout'; until: number }

export function getRetirement(
  { sunsetAt, blackouts }: EndpointLifecycle,
  now: number,
): Retirement | undefined {
  if (sunsetAt !== null && now >= sunsetAt) return { reason: 'sunset', since: sunsetAt }
  const until = endOfBlackout(blackouts, now)
  return until > now ? { reason: 'blackout', until } : undefined
}

/** The end of the current blackout, or of the last one that follows without a gap. */
function endOfBlackout(blackouts: readonly Blackout[], now: number): number {
  let until = now
  for (const { from, to } of blackouts.toSorted((a, b) => a.from - b.from))
    if (from <= until) until = Math.max(until, to)
  return until
}

const toEndpointKey = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

const toEndpointLifecycle = (
  endpoint: V1Endpoint,
  override: LifecycleOverride | undefined,
): EndpointLifecycle => ({
  endpoint,
  deprecatedAt: override?.deprecatedAt ?? (endpoint.state === 'awaiting-v2' ? null : DEPRECATED_SINCE),
  sunsetAt: override?.sunsetAt ?? null,
  blackouts: override?.blackouts ?? [],
})

export function createLifecycle(deps: {
  store: LifecycleStore
  clock: Clock
  /** Resolves when all other caches of the dates are invalidated. */
  onChange?(): Promise<void>
}): Lifecycle {
  const { store, clock } = deps
  const cache = new TtlCache<'overrides', ReadonlyMap<string, LifecycleOverride>>({
    ttlMs: FRESH_MS,
    max: 1,
    clock,
    load: async () => new Map((await store.list()).map((row) => [toEndpointKey(row), row])),
  })

  const find = async (endpoint: V1Endpoint): Promise<EndpointLifecycle> =>
    toEndpointLifecycle(endpoint, (await cache.get('overrides')).get(toEndpointKey(endpoint)))

  const list = (): Promise<EndpointLifecycle[]> => Promise.all(V1_CATALOGUE.map(find))

  return {
    list,
    find,
    async change(changes, actor) {
      requireValid(changes)
      const at = clock.now()
      await store.change(
        changes.map((change) => ({
          change,
          entry: {
            at,
            actor,
            action: 'v1.lifecycle-changed',
            target: toEndpointKey(change),
            detail: toAuditDetail(change),
          },
        })),
      )
      cache.invalidate()
      await deps.onChange?.()
      return list()
    },
    invalidate: () => cache.invalidate(),
  }
}

function requireValid(changes: readonly LifecycleChange[]): void {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  changes.forEach((change, index) => {
    const key = toEndpointKey(change)
    if (!findEndpoint(change.method, change.path)) {
      const message = 'must be the documented path of an endpoint of version 1, such as /tenant/logo'
      errors.push({ field: `${index}.path`, code: 'not-allowed', message })
    } else if (seen.has(key)) {
      errors.push({ field: `${index}.path`, code: 'repeated', message: 'must appear only once' })
    }
    seen.add(key)
    change.blackouts?.forEach(({ from, to }, position) => {
      const field = `${index}.blackouts.${position}.to`
      if (from >= to) errors.push({ field, code: 'out-of-range', message: 'must be after from' })
    })
  })
  if (errors.length > 0)
    throw new AppError('validation-error', 'The table is invalid; see `errors`.', { errors })
}

/** Detail for the audit log, with readable dates. */
function toAuditDetail({ deprecatedAt, sunsetAt, blackouts }: LifecycleChange): Record<string, unknown> {
  const date = (at: number | null): string | null => (at === null ? null : isoInstant(at))
  return {
    ...(deprecatedAt === undefined ? {} : { deprecatedAt: date(deprecatedAt) }),
    ...(sunsetAt === undefined ? {} : { sunsetAt: date(sunsetAt) }),
    ...(blackouts === undefined
      ? {}
      : { blackouts: blackouts?.map(({ from, to }) => ({ from: date(from), to: date(to) })) ?? null }),
  }
}
