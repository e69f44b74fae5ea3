import { type Static, Type } from 'typebox'
import { about, FORM } from '../about.ts'
import { Instant } from '../uuid.ts'

const WHEN = 'a date such as 2027-03-31 (midnight UTC), or an ISO 8601 time with an offset'

const When = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))?$',
  [FORM]: WHEN,
  maxLength: 40,
})

const PATH = {
  description: 'Path template as in the documentation.',
  examples: ['/spaces/details/{spaceId}'],
}
const method = Type.Literal('GET', { description: 'Every endpoint of version 1 is a GET.' })

/** The state in the catalogue, which operators cannot change. */
const State = Type.Enum(['replaced', 'awaiting-v2', 'retiring'], {
  description: 'Version 2 has it, will have it, or never will. Read-only.',
})
const Replacement = Type.Union([Type.String(), Type.Null()], {
  description: 'The path that replaces it in version 2; null if there is none. Read-only.',
  examples: ['/spaces/{spaceuuid}/overview'],
})

const NullableWhen = Type.Union([When, Type.Null()])

export const LifecycleChanges = Type.Array(
  Type.Object(
    {
      method,
      path: Type.String(PATH),
      deprecatedAt: Type.Optional(about(NullableWhen, `When it is deprecated, ${WHEN}; null clears it.`)),
      sunsetAt: Type.Optional(
        about(NullableWhen, `When it starts to return 410, ${WHEN}; null clears it.`, '2027-03-31'),
      ),
      blackouts: Type.Optional(
        Type.Union(
          [
            Type.Array(
              Type.Object(
                {
                  from: about(When, `Start: ${WHEN}.`, '2027-02-01T09:00:00Z'),
                  to: about(When, `End, exclusive: ${WHEN}.`, '2027-02-01T10:00:00Z'),
                },
                { additionalProperties: false },
              ),
              { maxItems: 100 },
            ),
            Type.Null(),
          ],
          { description: 'Times at which it returns 410 as a rehearsal; null clears them.' },
        ),
      ),
      state: Type.Optional(State),
      replacement: Type.Optional(about(Replacement, 'The path that replaces it in version 2. Read-only.')),
    },
    {
      title: 'LifecycleChange',
      additionalProperties: false,
      description:
        'Changes to the dates of one endpoint of version 1. Fields that are absent stay as they are.',
    },
  ),
  {
    maxItems: 100,
    description: 'The endpoints to change.',
    examples: [[{ method: 'GET', path: '/spaces/details/{spaceId}', sunsetAt: '2027-03-31' }]],
  },
)

export type LifecycleChanges = Static<typeof LifecycleChanges>

const NullableInstant = Type.Union([Instant, Type.Null()])

export const LifecycleTable = Type.Array(
  Type.Object(
    {
      method,
      path: Type.String(PATH),
      state: State,
      replacement: Replacement,
      deprecatedAt: about(NullableInstant, 'When it is deprecated; or null.', '2026-11-01T00:00:00.000Z'),
      sunsetAt: about(NullableInstant, 'When it starts to return 410; or null.', '2027-03-31T00:00:00.000Z'),
      blackouts: Type.Array(
        Type.Object(
          {
            from: about(Instant, 'Start.', '2027-02-01T09:00:00.000Z'),
            to: about(Instant, 'End, exclusive.', '2027-02-01T10:00:00.000Z'),
          },
          {
            title: 'Blackout',
            additionalProperties: false,
            description: 'A time in which an endpoint returns 410 as a rehearsal of its retirement.',
          },
        ),
        { description: 'Times at which it returns 410 as a rehearsal.' },
      ),
    },
    { title: 'Lifecycle', additionalProperties: false, description: 'An endpoint of version 1.' },
  ),
)

export type LifecycleTable = Static<typeof LifecycleTable>
