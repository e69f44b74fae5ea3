import type { TSchema } from 'typebox'
import { AppError } from '../../kernel/errors.ts'
import { createValidator, type Validator } from './validator.ts'

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

/** Throws `validation-error` for the first part that is invalid, in this order. */
export function validateCall(
  { params, body, query, headers }: Validators,
  call: Readonly<Record<Part, unknown>>,
): void {
  if (params) requireValid(params, call.params, 'path')
  if (body) requireValid(body, call.body, 'request body')
  if (query) requireValid(query, call.query, 'query')
  if (headers) requireValid(headers, call.headers, 'header')
}

export function requireValid(validator: Validator, value: unknown, part: string): void {
  if (validator.isValid(value)) return
  throw new AppError('validation-error', `The ${part} is invalid; see \`errors\`.`, {
    errors: validator.listErrors(value),
  })
}
