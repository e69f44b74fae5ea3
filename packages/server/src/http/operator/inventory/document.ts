import { Inventory } from '@portico/wire/operator/inventory'
import { Compile } from 'typebox/compile'
import { AppError } from '../../../kernel/errors.ts'
import type { InventoryDocument } from '../../../domain/estate/inventory/inventory.ts'
import { toFieldErrors } from '../../pipeline/validation.ts'
import { fromWireInventory } from './convert.ts'

export { toWireInventory } from './convert.ts'

const MAX_ERRORS = 100

/** Parses a document from a file and validates it with the schema of the HTTP API. */
export function readWireInventory(text: string): InventoryDocument {
  const body = parse(text)
  const validator = Compile(Inventory)
  if (!validator.Check(body)) {
    throw new AppError('validation-error', 'The document is invalid.', {
      errors: toFieldErrors(validator.Errors(body).slice(0, MAX_ERRORS)),
    })
  }
  return fromWireInventory(body)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('bad-request', 'The file is not valid JSON.', { cause })
  }
}
