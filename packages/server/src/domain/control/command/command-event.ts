import type { NewEvent } from '../../event/event.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { newOrderedUuid } from '../../../kernel/ids.ts'
import type { Command, CommandState } from './command.ts'

/** A command that has changed its state. */
export interface CommandChange {
  command: Command
  /** Null for a new command. */
  previousState: CommandState | null
}

/** A command as partners see it: in responses and in events. */
export const describeCommand = (command: Command) => ({
  commandUuid: command.commandUuid,
  deviceUuid: command.deviceUuid,
  type: command.type,
  state: command.state,
  createdAt: isoInstant(command.createdAt),
  updatedAt: isoInstant(command.updatedAt),
  expiresAt: isoInstant(command.expiresAt),
  completedAt: command.completedAt === null ? null : isoInstant(command.completedAt),
  failureReason: command.failureReason,
  clientReference: command.clientReference,
  schedule: command.schedule,
})

/** `spaceUuid` is the space that the device is in now. */
export const toCommandEvent = (
  { command, previousState }: CommandChange,
  spaceUuid: string | null,
): NewEvent => ({
  eventUuid: newOrderedUuid(command.updatedAt),
  type: 'command.updated',
  at: command.updatedAt,
  recordedAt: command.updatedAt,
  deviceUuid: command.deviceUuid,
  spaceUuid,
  data: { previousState, command: describeCommand(command) },
})
