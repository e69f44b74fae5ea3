import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { isUuid } from '@portico/server/kernel/ids'

/** What a device makes of a message on `…/commands`. */
export type ReceivedCommand =
  | { kind: 'command'; commandUuid: string; expiresAt: number }
  | { kind: 'cancel'; commandUuid: string }

const Cancel = Type.Object({ type: Type.Literal('cancel'), cancels: Type.String() })
/** A device looks at no more than it needs: what the command wants, it is only supposed to follow. */
const Command = Type.Object({
  commandUuid: Type.String(),
  type: Type.Enum(['weekly', 'oneOff', 'override', 'boost', 'resume', 'target']),
  expiresAt: Type.String(),
})

/** Undefined for what is no message of the server's. */
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
