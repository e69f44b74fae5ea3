import type { Actor } from '../audit/audit.ts'
import { AppError, type FieldError } from '../errors.ts'
import { type Clock, isoInstant } from '../lib/clock.ts'
import { DEPRECATED_SINCE, findEndpoint, V1_CATALOGUE, type V1Endpoint } from './catalogue.ts'
import type { Blackout, LifecycleChange, LifecycleOverride, LifecycleStore } from './store.ts'

/** A change made by another program is seen after this long; one made by this server at once. */
const FRESH_MS = 2_000

/** An endpoint of version 1 with the dates that hold for it. */
export interface Life {
  endpoint: V1Endpoint
  /** Null: not deprecated. */
  deprecatedAt: number | null
  sunsetAt: number | null
  blackouts: readonly Blackout[]
}

export interface Lifecycle {
  /** Every endpoint, in the order of the catalogue. */
  list(): Promise<Life[]>
  find(endpoint: V1Endpoint): Promise<Life>
  /** Changes only the endpoints named; in force when it resolves. */
  change(changes: readonly LifecycleChange[], actor: Actor): Promise<Life[]>
  /** Call when they have changed. */
  forget(): void
}

/** Why an endpoint does not answer now: its time is over, or an operator rehearses that. */
export type Gone = { reason: 'sunset'; since: number } | { reason: 'blackout'; until: number }

export function goneAt({ sunsetAt, blackouts }: Life, now: number): Gone | undefined {
  if (sunsetAt !== null && now >= sunsetAt) return { reason: 'sunset', since: sunsetAt }
  const until = endOfBlackout(blackouts, now)
  return until > now ? { reason: 'blackout', until } : undefined
}

/** Where one follows another without a break, the end of the last. */
function endOfBlackout(blackouts: readonly Blackout[], now: number): number {
  let until = now
  for (const { from, to } of blackouts.toSorted((a, b) => a.from - b.from))
    if (from <= until) until = Math.max(until, to)
  return until
}

const keyOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

const lifeOf = (endpoint: V1Endpoint, said: LifecycleOverride | undefined): Life => ({
  endpoint,
  deprecatedAt: said?.deprecatedAt ?? (endpoint.state === 'awaiting-v2' ? null : DEPRECATED_SINCE),
  sunsetAt: said?.sunsetAt ?? null,
  blackouts: said?.blackouts ?? [],
})

export function createLifecycle(deps: {
  store: LifecycleStore
  clock: Clock
  /** Resolves when others who remember the dates have forgotten them. */
  onChange?(): Promise<void>
}): Lifecycle {
  const { store, clock } = deps
  let known: { overrides: Promise<ReadonlyMap<string, LifecycleOverride>>; loadedAt: number } | undefined

  const load = (now: number): Promise<ReadonlyMap<string, LifecycleOverride>> => {
    const overrides = store.list().then((rows) => new Map(rows.map((row) => [keyOf(row), row])))
    const entry = { overrides, loadedAt: now }
    known = entry
    // A failure is not remembered: it must heal.
    overrides.catch(() => {
      if (known === entry) known = undefined
    })
    return overrides
  }

  const overrides = (): Promise<ReadonlyMap<string, LifecycleOverride>> => {
    const now = clock.now()
    const age = known ? now - known.loadedAt : Number.POSITIVE_INFINITY
    // A negative age means that the clock was set back.
    return known && age >= 0 && age < FRESH_MS ? known.overrides : load(now)
  }

  const list = async (): Promise<Life[]> => {
    const said = await overrides()
    return V1_CATALOGUE.map((endpoint) => lifeOf(endpoint, said.get(keyOf(endpoint))))
  }

  return {
    list,
    async find(endpoint) {
      return lifeOf(endpoint, (await overrides()).get(keyOf(endpoint)))
    },
    async change(changes, actor) {
      refuseUnfit(changes)
      const at = clock.now()
      await store.change(
        changes.map((change) => ({
          change,
          entry: {
            at,
            actor,
            action: 'v1.lifecycle-changed',
            target: keyOf(change),
            detail: detailOf(change),
          },
        })),
      )
      known = undefined
      await deps.onChange?.()
      return list()
    },
    forget() {
      known = undefined
    },
  }
}

function refuseUnfit(changes: readonly LifecycleChange[]): void {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  changes.forEach((change, index) => {
    const key = keyOf(change)
    if (!findEndpoint(change.method, change.path)) {
      const message = 'must be an endpoint of version 1 as its documentation writes it, such as /tenant/logo'
      errors.push({ field: `${index}.path`, code: 'not-allowed', message })
    } else if (seen.has(key)) {
      errors.push({ field: `${index}.path`, code: 'repeated', message: 'must be named once' })
    }
    seen.add(key)
    change.blackouts?.forEach(({ from, to }, place) => {
      const field = `${index}.blackouts.${place}.to`
      if (from >= to) errors.push({ field, code: 'out-of-range', message: 'must be after from' })
    })
  })
  if (errors.length > 0)
    throw new AppError('validation-error', 'The table does not fit; see errors.', { errors })
}

/** For the audit, with readable dates. */
function detailOf({ deprecatedAt, sunsetAt, blackouts }: LifecycleChange): Record<string, unknown> {
  const date = (at: number | null): string | null => (at === null ? null : isoInstant(at))
  return {
    ...(deprecatedAt === undefined ? {} : { deprecatedAt: date(deprecatedAt) }),
    ...(sunsetAt === undefined ? {} : { sunsetAt: date(sunsetAt) }),
    ...(blackouts === undefined
      ? {}
      : { blackouts: blackouts?.map(({ from, to }) => ({ from: date(from), to: date(to) })) ?? null }),
  }
}
