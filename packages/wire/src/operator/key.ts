import { Type } from 'typebox'

export const RotateKeys = Type.Object(
  {
    revokePrevious: Type.Optional(
      Type.Boolean({
        description:
          'Void every token signed so far, at once: for a key that leaked. Otherwise old tokens live out.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const RotatedKey = Type.Object({ kid: Type.String() }, { additionalProperties: false })
