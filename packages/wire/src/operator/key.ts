import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { Instant } from '../uuid.ts'

export const RotateKeys = Type.Object(
  {
    revokePrevious: Type.Optional(
      Type.Boolean({
        description:
          'Immediately revoke every token signed so far, for example because the key has leaked. Otherwise they stay valid until they expire.',
        examples: [false],
      }),
    ),
  },
  {
    title: 'RotateKeys',
    additionalProperties: false,
    description: 'Whether tokens that are signed with earlier keys stay valid.',
  },
)

const kid = Type.String({
  description: 'The id of the key, as in the header of a token.',
  examples: ['k-20261116-1'],
})

export const Key = Type.Object(
  {
    kid,
    algorithm: Type.Union([Type.Literal('ES256'), Type.Literal('RS256')], {
      description: 'The signature algorithm.',
      examples: ['ES256'],
    }),
    createdAt: about(Instant, 'When it was created.', '2026-11-16T09:30:00.000Z'),
    retiredAt: about(
      Type.Union([Instant, Type.Null()]),
      'When a newer key replaced it; null for the key that signs new tokens. A retired key verifies tokens until the last one it signed has expired.',
      null,
    ),
  },
  { title: 'Key', additionalProperties: false, description: 'A signing key, without the key itself.' },
)

export type Key = Static<typeof Key>

export const RotatedKey = Type.Object(
  { kid: Type.String({ description: 'The id of the new signing key.', examples: ['k-20261116-1'] }) },
  { title: 'RotatedKey', additionalProperties: false, description: 'The key that signs new tokens.' },
)
