import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { FieldError } from '../../kernel/errors.ts'
import { toFieldErrors } from './validation.ts'

/** Bounds the memory that the errors of one request take; a response lists fewer. */
const MAX_COLLECTED_ERRORS = 1_000

/**
 * Validates one part of a request. Nothing is converted: "true" is not a boolean, and unknown fields are errors. The
 * running time is bounded by the size of the value.
 */
export interface Validator {
  isValid(value: unknown): boolean
  /** The errors of an invalid value. */
  listErrors(value: unknown): FieldError[]
}

export function createValidator(schema: TSchema): Validator {
  Settings.Set({ maxErrors: MAX_COLLECTED_ERRORS })
  const compiled = Compile(schema)
  return {
    isValid: (value) => compiled.Check(value),
    listErrors: (value) => toFieldErrors(schema, value, compiled.Errors(value)),
  }
}
