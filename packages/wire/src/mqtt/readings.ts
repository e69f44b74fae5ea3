import { Type } from 'typebox'

/** One measured value of the device that the topic names. */
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

/** What makes a message one at all: its records are then judged one by one, so that a bad one never loses a good one. */
export const ReadingsEnvelope = Type.Object(
  { readings: Type.Array(Type.Unknown()) },
  { additionalProperties: false },
)

/** The names a record may use. */
export const READING_FIELDS: readonly string[] = Object.keys(MqttReading.properties)
