import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Uuid } from '../uuid.ts'

export const SimulatedMode = Type.Enum(['online', 'offline', 'reject', 'delay'], {
  description: 'offline: receives nothing; reject: rejects every command; delay: responds late.',
  examples: ['delay'],
})
const DelaySeconds = Type.Integer({
  minimum: 1,
  maximum: 3600,
  description:
    'Required with mode delay, not allowed otherwise: seconds before the first response of the device.',
  examples: [30],
})

export const SimulationBody = Type.Object(
  { mode: SimulatedMode, delaySeconds: Type.Optional(DelaySeconds) },
  {
    title: 'SimulationBody',
    additionalProperties: false,
    description: 'How the simulated device behaves from now on.',
  },
)

export type SimulationBody = Static<typeof SimulationBody>

export const Simulation = Type.Object(
  {
    deviceUuid: about(Uuid, 'The simulated device.', EXAMPLE.valveUuid),
    mode: SimulatedMode,
    delaySeconds: Type.Union([DelaySeconds, Type.Null()], {
      description: 'Seconds before the first response of the device; null unless the mode is delay.',
      examples: [30],
    }),
  },
  { title: 'Simulation', additionalProperties: false, description: 'How a simulated device behaves.' },
)

export type Simulation = Static<typeof Simulation>
