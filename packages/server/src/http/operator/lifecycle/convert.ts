import type { LifecycleChanges, LifecycleTable } from '@portico/wire/operator/lifecycle'
import { invalidField } from '../../../kernel/errors.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { getZone } from '../../../calendar/zone.ts'
import { parseTime } from '../../../calendar/parse-time.ts'
import { findEndpoint } from '../../../domain/v1-lifecycle/catalogue.ts'
import type { EndpointLifecycle } from '../../../domain/v1-lifecycle/lifecycle.ts'
import type { LifecycleChange } from '../../../domain/v1-lifecycle/store.ts'

const utc = getZone('UTC')

const dateOrNull = (at: number | null): string | null => (at === null ? null : isoInstant(at))

export const toWireLifecycle = (lives: readonly EndpointLifecycle[]): LifecycleTable =>
  lives.map(({ endpoint, deprecatedAt, sunsetAt, blackouts }) => ({
    method: endpoint.method,
    path: endpoint.path,
    state: endpoint.state,
    replacement: endpoint.replacement,
    deprecatedAt: dateOrNull(deprecatedAt),
    sunsetAt: dateOrNull(sunsetAt),
    blackouts: blackouts.map(({ from, to }) => ({ from: isoInstant(from), to: isoInstant(to) })),
  }))

export const readDate = (text: string, field: string): number => parseTime(text, field, utc)

/** A table that was read can be sent back unchanged, or with other dates. */
export const fromWireLifecycle = (changes: LifecycleChanges): LifecycleChange[] =>
  changes.map((change, index) => {
    refuseOtherFate(change, index)
    const { method, path, deprecatedAt, sunsetAt, blackouts } = change
    const read = (text: string | null, name: string): number | null =>
      text === null ? null : readDate(text, `${index}.${name}`)
    return {
      method,
      path,
      ...(deprecatedAt === undefined ? {} : { deprecatedAt: read(deprecatedAt, 'deprecatedAt') }),
      ...(sunsetAt === undefined ? {} : { sunsetAt: read(sunsetAt, 'sunsetAt') }),
      ...(blackouts === undefined
        ? {}
        : {
            blackouts:
              blackouts?.map(({ from, to }, position) => ({
                from: readDate(from, `${index}.blackouts.${position}.from`),
                to: readDate(to, `${index}.blackouts.${position}.to`),
              })) ?? null,
          }),
    }
  })

function refuseOtherFate(change: LifecycleChanges[number], index: number): void {
  const endpoint = findEndpoint(change.method, change.path)
  if (!endpoint) return
  for (const field of ['state', 'replacement'] as const) {
    if (change[field] !== undefined && change[field] !== endpoint[field])
      throw invalidField(`${index}.${field}`, 'not-allowed', 'cannot be changed')
  }
}
