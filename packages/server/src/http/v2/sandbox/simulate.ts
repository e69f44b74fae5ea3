import { NoQuery } from '@portico/wire/page'
import { Simulation as WireSimulation, SimulationBody } from '@portico/wire/v2/sandbox'
import type { FastifyInstance } from 'fastify'
import type { Simulation } from '../../../device/sandbox.ts'
import { invalidField } from '../../../errors.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { deviceOf } from '../path.ts'
import { DeviceParams } from '../query.ts'

const schema = {
  operationId: 'simulateDevice',
  summary: 'Choose how a simulated device behaves',
  description:
    'On a site with sandbox true. Holds when it is answered, until the next call or, on the embedded store, a restart of the server.',
  tags: ['Sandbox'],
  params: DeviceParams,
  body: SimulationBody,
  querystring: NoQuery,
  response: responses(
    200,
    'How the device behaves now',
    WireSimulation,
    'forbidden',
    'not-found',
    'conflict',
    'payload-too-large',
    'rate-limited',
  ),
}

export function simulateDevice(app: FastifyInstance, { sandbox }: Services): void {
  app.post<{ Body: SimulationBody }>(
    '/sandbox/devices/:deviceuuid/simulate',
    { schema },
    async (request): Promise<WireSimulation> => {
      const { siteUuid } = siteOf(request).site
      const simulation = fromWireSimulation(request.body)
      const { deviceUuid } = deviceOf(request).record
      await sandbox.simulate(siteUuid, deviceUuid, simulation)
      return { deviceUuid, ...simulation }
    },
  )
}

function fromWireSimulation({ mode, delaySeconds }: SimulationBody): Simulation {
  if (mode === 'delay') {
    if (delaySeconds === undefined) throw invalidField('delaySeconds', 'required', 'is required with delay')
    return { mode, delaySeconds }
  }
  if (delaySeconds !== undefined) throw invalidField('delaySeconds', 'not-allowed', 'is for mode delay only')
  return { mode, delaySeconds: null }
}
