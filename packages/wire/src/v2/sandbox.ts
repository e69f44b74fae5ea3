import { type Static, Type } from 'typebox'
import { Uuid } from '../uuid.ts'

export const SimulatedMode = Type.Enum(['online', 'offline', 'reject', 'delay'], {
  description: 'offline: receives nothing; reject: rejects every command; delay: responds late.',
})
const DelaySeconds = Type.Integer({
  minimum: 1,
  maximum: 3600,
  description:
    'Required with mode delay, not allowed otherwise: seconds before the first response of the device.',
})

export const SimulationBody = Type.Object(
  { mode: SimulatedMode, delaySeconds: Type.Optional(DelaySeconds) },
  { title: 'SimulationBody', additionalProperties: false },
)

export type SimulationBody = Static<typeof SimulationBody>

export const Simulation = Type.Object(
  { deviceUuid: Uuid, mode: SimulatedMode, delaySeconds: Type.Union([DelaySeconds, Type.Null()]) },
  { title: 'Simulation', additionalProperties: false },
)

export type Simulation = Static<typeof Simulation>
