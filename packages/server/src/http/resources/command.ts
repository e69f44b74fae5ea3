import type { Command as WireCommand } from '@portico/wire/v2/command'
import type { Command } from '../../domain/control/command/command.ts'
import { describeCommand } from '../../domain/control/command/command-event.ts'

export const toWireCommand = (command: Command): WireCommand => describeCommand(command)
