import type { TSchema } from 'typebox'
import { AppError } from '../../kernel/errors.ts'
import { toFieldErrors } from './validation.ts'
import { createValidator, type Validate } from './validator.ts'

type Part = 'params' | 'body' | 'query' | 'headers'

export type Validators = Readonly<Record<Part, Validate | undefined>>

const toValidator = (schema: TSchema | undefined): Validate | undefined => schema && createValidator(schema)

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

export function requireValid(validate: Validate, value: unknown, part: string): void {
  if (validate(value)) return
  const errors = toFieldErrors(validate.errors ?? [])
  throw new AppError('validation-error', `The ${part} is invalid; see \`errors\`.`, { errors })
}
