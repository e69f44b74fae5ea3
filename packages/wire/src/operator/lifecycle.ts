import { type Static, Type } from 'typebox'
import { Instant } from '../uuid.ts'

const When = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))?$',
  maxLength: 40,
  description: 'A date such as 2027-03-31 (midnight UTC), or an ISO 8601 time with an offset.',
})
/** The state in the catalogue, which operators cannot change. */
const State = Type.Enum(['replaced', 'awaiting-v2', 'retiring'])
const Replacement = Type.Union([Type.String(), Type.Null()], { description: 'In version 2.' })

const NullableWhen = Type.Optional(Type.Union([When, Type.Null()]))

export const LifecycleChanges = Type.Array(
  Type.Object(
    {
      method: Type.Literal('GET'),
      path: Type.String({ description: 'Path template as in the documentation: /spaces/details/{spaceId}.' }),
      deprecatedAt: NullableWhen,
      sunsetAt: NullableWhen,
      blackouts: Type.Optional(
        Type.Union([
          Type.Array(Type.Object({ from: When, to: When }, { additionalProperties: false }), {
            maxItems: 100,
          }),
          Type.Null(),
        ]),
      ),
      state: Type.Optional(State),
      replacement: Type.Optional(Replacement),
    },
    { title: 'LifecycleChange', additionalProperties: false },
  ),
  { maxItems: 100 },
)

export type LifecycleChanges = Static<typeof LifecycleChanges>

const NullableInstant = Type.Union([Instant, Type.Null()])

export const LifecycleTable = Type.Array(
  Type.Object(
    {
      method: Type.Literal('GET'),
      path: Type.String(),
      state: State,
      replacement: Replacement,
      deprecatedAt: NullableInstant,
      sunsetAt: NullableInstant,
      blackouts: Type.Array(Type.Object({ from: Instant, to: Instant }, { additionalProperties: false })),
    },
    { title: 'Lifecycle', additionalProperties: false },
  ),
)

export type LifecycleTable = Static<typeof LifecycleTable>
