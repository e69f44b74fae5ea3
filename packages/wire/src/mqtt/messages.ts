import { Type, type Static } from 'typebox'

/** A measured value of the device in the topic. */
export const MqttReading = Type.Object(
  {
    metricType: Type.String(),
    timestamp: Type.String({ description: 'ISO 8601 with an offset, to the millisecond.' }),
    value: Type.Number(),
  },
  { title: 'MqttReading', additionalProperties: false },
)

/** The payload on `…/readings`. */
export const ReadingsMessage = Type.Object(
  { readings: Type.Array(MqttReading) },
  { title: 'ReadingsMessage', additionalProperties: false },
)

/**
 * The outer structure of a message; records are validated one by one, so that an invalid one does not discard valid
 * ones.
 */
export const ReadingsEnvelope = Type.Object(
  { readings: Type.Array(Type.Unknown()) },
  { additionalProperties: false },
)

/** The fields of a record. */
export const READING_FIELDS: readonly string[] = Object.keys(MqttReading.properties)

/** The payload on `…/presence`: the word without quotes. */
export const PresenceMessage = Type.Enum(['online', 'offline'], { title: 'PresenceMessage' })

export type PresenceMessage = Static<typeof PresenceMessage>

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
