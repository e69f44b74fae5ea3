import { NoQuery } from '@portico/wire/page'
import { Simulation as WireSimulation, SimulationBody } from '@portico/wire/v2/sandbox'
import type { Simulation } from '../../../domain/control/simulation/sandbox.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { role, sandbox } from '../../pipeline/gates.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice } from '../path.ts'
import { DeviceParams } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'

export const simulateDevice = defineRoute({
  method: 'POST',
  path: '/sandbox/devices/{deviceuuid}/simulate',
  operationId: 'simulateDevice',
  summary: 'Choose how a simulated device behaves',
  description:
    'On a site with sandbox true. Holds when it is answered, until the next call or, on the embedded store, a restart of the server.',
  tags: ['Sandbox'],
  gates: [...SITE_GATES, role('Devices.Control'), sandbox],
  params: DeviceParams,
  query: NoQuery,
  body: SimulationBody,
  produces: jsonAlways(200, 'How the device behaves now', WireSimulation),
  errors: ['forbidden', 'not-found', 'conflict', 'payload-too-large', 'rate-limited'],
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
    if (delaySeconds === undefined) throw invalidField('delaySeconds', 'required', 'is required with delay')
    return { mode, delaySeconds }
  }
  if (delaySeconds !== undefined) throw invalidField('delaySeconds', 'not-allowed', 'is for mode delay only')
  return { mode, delaySeconds: null }
}
