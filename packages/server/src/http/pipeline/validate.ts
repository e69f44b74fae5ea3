import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { AppError, type FieldError } from '../../kernel/errors.ts'
import { toFieldErrors } from './field-errors.ts'

type Part = 'params' | 'body' | 'query' | 'headers'

export type Validators = Readonly<Record<Part, Validator | undefined>>

const toValidator = (schema: TSchema | undefined): Validator | undefined => schema && createValidator(schema)

export const createValidators = ({
  params,
  body,
  query,
  headers,
}: Readonly<Partial<Record<Part, TSchema>>>): Validators => ({
  params: toValidator(params),
  body: toValidator(body),
  query: toValidator(query),
  headers: toValidator(headers),
})

export function requireValid(validator: Validator, value: unknown, part: string): void {
  if (validator.isValid(value)) return
  throw new AppError('validation-error', `The ${part} is invalid; see \`errors\`.`, {
    errors: validator.listErrors(value),
  })
}

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

/** The schema is compiled when it is first used: compiling those of all routes would delay the start. */
export function createValidator(schema: TSchema): Validator {
  let compiled: ReturnType<typeof Compile> | undefined
  const compile = (): ReturnType<typeof Compile> => {
    Settings.Set({ maxErrors: MAX_COLLECTED_ERRORS })
    return Compile(schema)
  }
  return {
    isValid: (value) => (compiled ??= compile()).Check(value),
    listErrors: (value) => toFieldErrors(schema, value, (compiled ??= compile()).Errors(value)),
  }
}
