import { Type } from 'typebox'

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
