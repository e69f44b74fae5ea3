import { NoQuery } from '@portico/wire/page'
import { DeviceSchedule } from '@portico/wire/v2/command'
import type { FastifyInstance } from 'fastify'
import { siteOf } from '../../plugins/site-scope.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { requireJson } from '../../require-json.ts'
import { deviceOf } from '../path.ts'
import { DeviceParams } from '../query.ts'
import { toWireSchedule } from './convert.ts'

const schema = {
  operationId: 'getSchedule',
  summary: 'What a device does now and next',
  description: 'Of what the device has confirmed; what it has not yet is in pending.',
  tags: ['Control'],
  params: DeviceParams,
  querystring: NoQuery,
  response: responses(200, 'The schedule', DeviceSchedule, 'forbidden', 'not-found', 'rate-limited'),
}

export function getSchedule(app: FastifyInstance, { commands }: Services): void {
  app.get('/devices/:deviceuuid/schedule', { schema }, async (request) => {
    requireJson(request)
    const model = siteOf(request)
    const device = deviceOf(request)
    return toWireSchedule(model, device, await commands.planned(model, device))
  })
}
