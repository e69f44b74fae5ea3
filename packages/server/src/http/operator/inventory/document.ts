import { Inventory } from '@portico/wire/operator/inventory'
import { AppError } from '../../../kernel/errors.ts'
import type { InventoryDocument } from '../../../domain/estate/inventory/inventory.ts'
import { createValidator } from '../../pipeline/validate.ts'
import { fromWireInventory } from './convert.ts'

export { toWireInventory } from './convert.ts'

/** Parses a document from a file and validates it with the schema of the HTTP API. */
export function readWireInventory(text: string): InventoryDocument {
  const body = parse(text)
  const validator = createValidator(Inventory)
  if (!validator.isValid(body)) {
    throw new AppError('validation-error', 'The document is invalid.', { errors: validator.listErrors(body) })
  }
  return fromWireInventory(body as Inventory)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('bad-request', 'The file is not valid JSON.', { cause })
  }
}
