import { Type } from 'typebox'

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
  { title: 'RotateKeys', additionalProperties: false },
)

export const RotatedKey = Type.Object(
  { kid: Type.String({ description: 'The id of the new signing key.', examples: ['k-20261116-1'] }) },
  { title: 'RotatedKey', additionalProperties: false },
)
