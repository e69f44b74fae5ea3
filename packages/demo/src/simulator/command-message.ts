import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { isUuid } from '@portico/server/kernel/ids'

/** A parsed message on `…/commands`. */
export type ReceivedCommand =
  | { kind: 'command'; commandUuid: string; expiresAt: number }
  | { kind: 'cancel'; commandUuid: string }

const Cancel = Type.Object({ type: Type.Literal('cancel'), cancels: Type.String() })
/** Only the fields that a simulated device needs; it does not carry out the command. */
const Command = Type.Object({
  commandUuid: Type.String(),
  type: Type.Enum(['weekly', 'oneOff', 'override', 'boost', 'resume', 'target']),
  expiresAt: Type.String(),
})

/** Undefined if it is not a valid message of the server. */
export function readCommandMessage(payload: Buffer): ReceivedCommand | undefined {
  const message = parse(payload)
  if (Value.Check(Cancel, message)) {
    return isUuid(message.cancels) ? { kind: 'cancel', commandUuid: message.cancels } : undefined
  }
  if (!Value.Check(Command, message) || !isUuid(message.commandUuid)) return undefined
  const expiresAt = Date.parse(message.expiresAt)
  return Number.isNaN(expiresAt)
    ? undefined
    : { kind: 'command', commandUuid: message.commandUuid, expiresAt }
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString())
  } catch {
    return undefined
  }
}
