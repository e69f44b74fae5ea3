import type { Command as WireCommand } from '@portico/wire/v2/command'
import type { Command } from '../../domain/control/command/command.ts'
import { isoInstant } from '../../kernel/clock.ts'

export const toWireCommand = (command: Command): WireCommand => ({
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
