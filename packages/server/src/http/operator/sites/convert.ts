import type { OperatorCommand } from '@portico/wire/operator/command'
import type { Command } from '../../../domain/control/command/command.ts'
import { toWireCommand } from '../../resources/command.ts'

export const toWireOperatorCommand = (command: Command): OperatorCommand => ({
  ...toWireCommand(command),
  partnerUuid: command.partnerUuid,
})
