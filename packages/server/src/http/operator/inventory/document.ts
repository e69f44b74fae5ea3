import { Inventory } from '@portico/wire/operator/inventory'
import { AppError } from '../../../kernel/errors.ts'
import { createValidator } from '../../pipeline/validate.ts'

/** Parses the text of a document and validates it with the schema of the HTTP API. */
export function parseInventory(text: string): Inventory {
  const body = parse(text)
  const validator = createValidator(Inventory)
  if (!validator.isValid(body)) {
    throw new AppError('validation-error', 'The document is invalid.', { errors: validator.listErrors(body) })
  }
  return body as Inventory
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('bad-request', 'The file is not valid JSON.', { cause })
  }
}
