import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Instant, Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { invalidField } from '../../kernel/errors.ts'

const MAX_TEXT = 200

/** A filter by text. */
export const textFilter = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TEXT, description, examples: [example] }))

/** A filter by partner. */
export const partnerFilter = (records: string) =>
  Type.Optional(about(Uuid, `Only ${records} of this partner.`, EXAMPLE.partnerUuid))

/** A filter by the earliest time. */
export const fromFilter = (description: string) =>
  Type.Optional(about(Instant, description, '2026-11-16T00:00:00.000Z'))

export function readFrom(from: string | undefined): number | undefined {
  if (from === undefined) return undefined
  const at = Date.parse(from)
  if (Number.isNaN(at)) throw invalidField('from', 'malformed', 'must be an ISO 8601 instant')
  return at
}
