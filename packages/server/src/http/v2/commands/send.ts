import { EXAMPLE } from '@portico/wire/example-ids'
import { NoQuery } from '@portico/wire/page'
import { Command, PENDING_EXAMPLE, ScheduleBodies, ScheduleBody } from '@portico/wire/v2/command'
import type { Schedule } from '../../../domain/control/schedule/schedule.ts'
import type { SendResult } from '../../../domain/control/command/service.ts'
import { AppError, invalidField } from '../../../kernel/errors.ts'
import { SCHEDULE_TYPES, type ScheduleType } from '../../../domain/estate/inventory/inventory.ts'
import { getRetryAfterSeconds } from '../../../domain/identity/rate-limit/limits.ts'
import { role } from '../../pipeline/gates.ts'
import { text } from '../../pipeline/openapi/response-headers.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { type HeaderList, jsonReply, type Reply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireValid, createValidator, type Validator } from '../../pipeline/validate.ts'
import type { Services } from '../../services.ts'
import { requireDevice, DeviceParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import { toWireCommand } from '../../resources/command.ts'
import { IdempotencyHeaders, readIdempotencyKey } from './idempotency-key.ts'

const MINUTE_MS = 60_000
const PER_MINUTE = 5
const PER_HOUR = 60
const WINDOWS = [
  { limit: PER_MINUTE, ms: MINUTE_MS },
  { limit: PER_HOUR, ms: 60 * MINUTE_MS },
]

const HEADERS = {
  Location: text(
    'The address of the command, with its status.',
    `https://api.example.com/v2/devices/${EXAMPLE.valveUuid}/commands/${EXAMPLE.commandUuid}`,
  ),
  'Idempotency-Replayed': text(
    'true if this is the response to an earlier request with the same key.',
    'true',
  ),
}

export const sendSchedule = defineRoute({
  method: 'POST',
  path: '/devices/{deviceuuid}/schedule',
  operationId: 'sendSchedule',
  summary: 'Send device control commands',
  description:
    '202 when the command is accepted and stored. The Location header is the address of the command, with its status.',
  tags: ['Control'],
  gates: [...SITE_GATES, role('Devices.Control')],
  params: DeviceParams,
  query: NoQuery,
  headers: IdempotencyHeaders,
  // The union is for the API description; readSchedule validates each type separately, so that errors refer to that
  // type only.
  describedBody: ScheduleBody,
  produces: jsonAlways(202, 'Accepted', Command, { headers: HEADERS, example: PENDING_EXAMPLE }),
  errors: [
    'forbidden',
    'not-found',
    'not-controllable',
    'idempotency-key-reused',
    'payload-too-large',
    'rate-limited',
  ],
  async handle(call, services: Pick<Services, 'commands' | 'addresses' | 'limits' | 'isRateLimited'>) {
    const { commands, addresses } = services
    const device = requireDevice(call)
    const schedule = readSchedule(call.body)
    const key = readIdempotencyKey(call, device.record.deviceUuid)
    const known = key && (await commands.replay(call.site, key))
    if (known) return toReply(addresses.baseUrl, { command: known, isReplayed: true })
    await countCommand(services, device.record.deviceUuid)
    const caller = { partner: call.caller, traceId: call.id, key }
    return toReply(addresses.baseUrl, await commands.send(call.site, device, schedule, caller))
  },
})

/** Limits the commands that a device receives, whichever partner sends them. */
async function countCommand(
  { limits, isRateLimited }: Pick<Services, 'limits' | 'isRateLimited'>,
  deviceUuid: string,
): Promise<void> {
  if (!isRateLimited) return
  const verdicts = await limits.consume({ kind: 'commands', key: deviceUuid, windows: WINDOWS })
  const retryAfterSeconds = getRetryAfterSeconds(verdicts)
  if (retryAfterSeconds === undefined) return
  const detail = `A device accepts at most ${PER_MINUTE} commands per minute and ${PER_HOUR} per hour.`
  throw new AppError('rate-limited', detail, { retryAfterSeconds })
}

function toReply(baseUrl: string, { command, isReplayed }: SendResult): Reply {
  const { deviceUuid, commandUuid } = command
  const headers: HeaderList = ['location', `${baseUrl}/devices/${deviceUuid}/commands/${commandUuid}`]
  if (isReplayed) headers.push('idempotency-replayed', 'true')
  return jsonReply(toWireCommand(command), 202, headers)
}

const validators = new Map<string, Validator>()

/** Created with the first command of each type. */
function getValidator(type: ScheduleType): Validator {
  let validator = validators.get(type)
  if (!validator) validators.set(type, (validator = createValidator(ScheduleBodies[type])))
  return validator
}

function readSchedule(body: unknown): Schedule {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('validation-error', 'The request body must be a JSON object.', {
      errors: [{ field: '', code: 'wrong-type', message: 'must be of type object' }],
    })
  }
  const type = SCHEDULE_TYPES.find((known) => 'type' in body && body.type === known)
  if (!type) throw invalidField('type', 'not-allowed', `must be one of ${SCHEDULE_TYPES.join(', ')}`)
  requireValid(getValidator(type), body, 'request body')
  return body as Schedule
}
