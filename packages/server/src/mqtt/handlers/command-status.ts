import { CommandStatus } from '@portico/wire/mqtt/messages'
import { Compile } from 'typebox/compile'
import type { CommandStore, CommandEvent, OutboxStore } from '../../domain/control/command/store.ts'
import type { Clock } from '../../kernel/clock.ts'
import { parseInstant } from '../../domain/telemetry/reading/validate.ts'
import type { Handler } from '../message-router.ts'

const status = Compile(CommandStatus)
const NOT_JSON = { code: 'not-json', message: 'The payload is not JSON.' }
const BAD_MESSAGE = {
  code: 'bad-message',
  message: 'A status is {"status":"delivered"|"confirmed"|"rejected","reason"?,"timestamp"}.',
}
const UNKNOWN_COMMAND = { code: 'unknown-command', message: 'The command is unknown for this device.' }

/** Handles `…/commands/{commandUuid}/status`: only the device's own report changes the state of a command. */
export function handleCommandStatus(deps: {
  commands: Pick<CommandStore, 'apply'>
  outbox: Pick<OutboxStore, 'acknowledge'>
  clock: Clock
}): Handler {
  const { commands, outbox, clock } = deps
  return async ({ siteUuid, senderUuid, commandUuid = '' }, { payload }) => {
    let reported: unknown
    try {
      reported = JSON.parse(payload.toString('utf8'))
    } catch {
      return { rejection: NOT_JSON }
    }
    if (!status.Check(reported) || parseInstant(reported.timestamp) === undefined)
      return { rejection: BAD_MESSAGE }
    const event = toCommandEvent(reported, clock.now())
    if (await commands.apply(siteUuid, senderUuid, commandUuid, event)) return {}
    // The id of a target sent by a server schedule, or of a cancel, which needs no response but may get one.
    return (await outbox.acknowledge(siteUuid, senderUuid, commandUuid)) ? {} : { rejection: UNKNOWN_COMMAND }
  }
}

function toCommandEvent({ status: word, reason }: CommandStatus, at: number): CommandEvent {
  if (word === 'delivered') return { event: 'device-delivered', reason: null, at }
  if (word === 'confirmed') return { event: 'device-confirmed', reason: null, at }
  const message = reason === undefined || reason === '' ? 'The device gave no reason.' : reason
  return { event: 'device-rejected', reason: { code: 'DEVICE_REJECTED', message }, at }
}
