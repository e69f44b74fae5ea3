import { NoQuery } from '@portico/wire/page'
import { Simulation as WireSimulation, SimulationBody } from '@portico/wire/v2/sandbox'
import type { Simulation } from '../../../domain/control/simulation/sandbox.ts'
import { notSimulated } from '../../../domain/control/simulation/sandbox.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { role, sandbox } from '../../pipeline/gates.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice, DeviceParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'

export const simulateDevice = defineRoute({
  method: 'POST',
  path: '/sandbox/devices/{deviceuuid}/simulate',
  operationId: 'simulateDevice',
  summary: 'Set the behaviour of a simulated device',
  description:
    'Only on a sandbox site. In effect when the response is sent, until the next call or, with SQLite, until the server restarts.',
  tags: ['Sandbox'],
  gates: [...SITE_GATES, role('Devices.Control'), sandbox],
  params: DeviceParams,
  query: NoQuery,
  body: SimulationBody,
  produces: jsonAlways(200, 'The behaviour of the device', WireSimulation),
  errors: ['forbidden', 'not-found', 'conflict', 'payload-too-large', 'rate-limited'],
  exampleErrors: [notSimulated()],
  async handle(call, services: Pick<Services, 'sandbox'>) {
    const simulation = fromWireSimulation(call.body)
    const { deviceUuid } = requireDevice(call).record
    await services.sandbox.simulate(call.site.site.siteUuid, deviceUuid, simulation)
    const simulated: WireSimulation = { deviceUuid, ...simulation }
    return jsonReply(simulated)
  },
})

function fromWireSimulation({ mode, delaySeconds }: SimulationBody): Simulation {
  if (mode === 'delay') {
    if (delaySeconds === undefined)
      throw invalidField('delaySeconds', 'required', 'is required with mode delay')
    return { mode, delaySeconds }
  }
  if (delaySeconds !== undefined)
    throw invalidField('delaySeconds', 'not-allowed', 'is allowed with mode delay only')
  return { mode, delaySeconds: null }
}
