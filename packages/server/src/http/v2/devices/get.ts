import { NoQuery } from '@portico/wire/page'
import { Device as WireDevice } from '@portico/wire/v2/device'
import type { FastifyInstance } from 'fastify'
import { heardOfDevice } from '../../../device/heard.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { requireJson } from '../../require-json.ts'
import { deviceOf } from '../path.ts'
import { DeviceParams } from '../query.ts'
import { toWireDevice } from './convert.ts'

const schema = {
  operationId: 'getDevice',
  summary: 'Read one device',
  tags: ['Devices'],
  params: DeviceParams,
  querystring: NoQuery,
  response: responses(200, 'The device', WireDevice, 'forbidden', 'not-found', 'rate-limited'),
}

export function getDevice(app: FastifyInstance, services: Services): void {
  app.get('/devices/:deviceuuid', { schema }, async (request) => {
    requireJson(request)
    const model = siteOf(request)
    const device = deviceOf(request)
    const heard = await heardOfDevice(services, model, device)
    return toWireDevice(model, device, heard, services.clock.now())
  })
}
