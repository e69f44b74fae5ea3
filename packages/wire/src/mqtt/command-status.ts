import { type Static, Type } from 'typebox'

/** A device's report on a command. */
export const CommandStatus = Type.Object(
  {
    status: Type.Enum(['delivered', 'confirmed', 'rejected']),
    reason: Type.Optional(Type.String({ maxLength: 1_000, description: 'Why it was rejected.' })),
    timestamp: Type.String({ description: 'The device’s own time, ISO 8601 with an offset.' }),
  },
  { title: 'CommandStatus' },
)

export type CommandStatus = Static<typeof CommandStatus>
