import type { JsonObject } from '../json.ts'

export const degrees = (temperature: number): JsonObject => ({ temperature })

/** An override without an end, which only another command ends. */
export const override = (temperature: number, more: JsonObject = {}): JsonObject => ({
  type: 'override',
  target: degrees(temperature),
  permanent: true,
  ...more,
})

/** A one-off between two offsets, in seconds after an instant. */
export const oneOff = (
  from: number,
  seconds: [start: number, end: number],
  temperature = 21,
  more: JsonObject = {},
): JsonObject => ({
  type: 'oneOff',
  startsAt: new Date(from + seconds[0] * 1000).toISOString(),
  endsAt: new Date(from + seconds[1] * 1000).toISOString(),
  target: degrees(temperature),
  ...more,
})

const common = ['expiresAt', 'failIfOffline', 'clientReference']

/** The part of a body that tells the device what to do. */
export const toOrder = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'type' && !common.includes(name)))
