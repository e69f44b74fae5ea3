import { readFileSync } from 'node:fs'
import { readWireInventory } from '@portico/server/http/operator/inventory/document'
import { COMMAND_LINE, OperatorError, openOperator } from '@portico/server/operator/operator'
import { type Command, positional } from '../command.ts'

export const command: Command = {
  parameters: 'FILE',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const document = readWireInventory(read(positional(call, 0)))
    await using operator = await openOperator(call.config, { create: true })
    const changes = await operator.inventory.apply(document, COMMAND_LINE)
    call.out.result(
      changes,
      `${document.site.siteName}: ${changes.created} created, ${changes.updated} updated, ` +
        `${changes.archived} archived, ${changes.unchanged} unchanged.`,
    )
    return 0
  },
}

/** Reads a file, or standard input for `-`. */
function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new OperatorError(`${file} cannot be read`)
  }
}
