import { Type } from 'typebox'

/** Input in any case, output in lower case. The pattern duplicates the format for validators without formats. */
export const Uuid = Type.String({
  format: 'uuid',
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
})

/** ISO 8601 in UTC, such as 2026-11-15T03:32:28.000Z. */
export const Instant = Type.String({ format: 'date-time', examples: ['2026-11-15T03:32:28.000Z'] })
