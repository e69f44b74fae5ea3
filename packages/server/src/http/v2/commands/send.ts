import { NoQuery } from '@portico/wire/page'
import { Command, type Command as WireCommand, ScheduleBodies, ScheduleBody } from '@portico/wire/v2/command'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Schedule } from '../../../command/command.ts'
import type { Sent } from '../../../command/service.ts'
import { AppError, invalidField } from '../../../errors.ts'
import { SCHEDULE_TYPES } from '../../../inventory/inventory.ts'
import { waitOf } from '../../../limit/limits.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { siteOf } from '../../plugins/site-scope.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { toFieldErrors } from '../../validation.ts'
import { deviceOf } from '../path.ts'
import { DeviceParams } from '../query.ts'
import { toWireCommand } from './convert.ts'
import { IdempotencyHeaders, keyOf } from './idempotency-key.ts'

const schema = {
  operationId: 'sendSchedule',
  summary: 'Send device control commands',
  description: 'Accepted and stored: 202. The Location header is where to follow it.',
  tags: ['Control'],
  params: DeviceParams,
  body: ScheduleBody,
  querystring: NoQuery,
  headers: IdempotencyHeaders,
  response: responses(
    202,
    'Accepted',
    Command,
    'forbidden',
    'not-found',
    'not-controllable',
    'idempotency-key-reused',
    'payload-too-large',
    'rate-limited',
  ),
}

const MINUTE_MS = 60_000
const PER_MINUTE = 5
const PER_HOUR = 60
const WINDOWS = [
  { limit: PER_MINUTE, ms: MINUTE_MS },
  { limit: PER_HOUR, ms: 60 * MINUTE_MS },
]

export function sendSchedule(
  app: FastifyInstance,
  { commands, addresses, limits, isRateLimited }: Services,
): void {
  /** A device is no toy: it takes so many commands, whoever sends them. */
  const countCommand = async (deviceUuid: string): Promise<void> => {
    if (!isRateLimited) return
    const verdicts = await limits.take({ what: 'commands', key: deviceUuid, windows: WINDOWS })
    const retryAfterSeconds = waitOf(verdicts)
    if (retryAfterSeconds === undefined) return
    const detail = `A device takes at most ${PER_MINUTE} commands a minute and ${PER_HOUR} an hour.`
    throw new AppError('rate-limited', detail, { retryAfterSeconds })
  }

  const answer = (reply: FastifyReply, { command, isReplayed }: Sent): WireCommand => {
    const { deviceUuid, commandUuid } = command
    reply.status(202).header('location', `${addresses.baseUrl}/devices/${deviceUuid}/commands/${commandUuid}`)
    if (isReplayed) reply.header('idempotency-replayed', 'true')
    return toWireCommand(command)
  }

  app.post(
    '/devices/:deviceuuid/schedule',
    // The union describes; each type is validated on its own in readSchedule, so that errors speak of that type only.
    { schema, attachValidation: true },
    async (request, reply) => {
      if (request.validationError && request.validationError.validationContext !== 'body')
        throw request.validationError
      const model = siteOf(request)
      const device = deviceOf(request)
      const schedule = readSchedule(request)
      const key = keyOf(request, device.record.deviceUuid)
      const known = key && (await commands.replay(model, key))
      if (known) return answer(reply, { command: known, isReplayed: true })
      await countCommand(device.record.deviceUuid)
      const caller = { partner: callerOf(request), traceId: request.id, key }
      return answer(reply, await commands.send(model, device, schedule, caller))
    },
  )
}

function readSchedule(request: FastifyRequest): Schedule {
  const { body } = request
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('validation-error', 'The body must be a JSON object.', {
      errors: [{ field: '', code: 'wrong-type', message: 'must be of type object' }],
    })
  }
  const type = SCHEDULE_TYPES.find((known) => 'type' in body && body.type === known)
  if (!type) throw invalidField('type', 'not-allowed', `must be one of ${SCHEDULE_TYPES.join(', ')}`)
  const validate = request.compileValidationSchema(ScheduleBodies[type], 'body')
  if (!validate(body)) {
    const errors = toFieldErrors(validate.errors ?? [])
    throw new AppError('validation-error', 'The body does not fit; see errors.', { errors })
  }
  return body as Schedule
}
