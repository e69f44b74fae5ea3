import type { TSchema } from 'typebox'
import { AppError } from '../../errors.ts'
import { toFieldErrors } from '../validation.ts'
import { compileValidator, type Validate } from '../validator.ts'
import type { Call } from './call.ts'
import type { RunnableRoute } from './route.ts'

/** Validators of the parts of a request, in the order in which they run. */
export interface Validators {
  params: Validate | undefined
  body: Validate | undefined
  query: Validate | undefined
  headers: Validate | undefined
}

const compile = (schema: TSchema | undefined): Validate | undefined => schema && compileValidator(schema)

export const compileValidators = ({ params, body, query, headers }: RunnableRoute): Validators => ({
  params: compile(params),
  body: compile(body),
  query: compile(query),
  headers: compile(headers),
})

/** Throws `validation-error` for the first part that is invalid. */
export function validateCall({ params, body, query, headers }: Validators, call: Call): void {
  if (params) requireValid(params, call.params, 'path')
  if (body) requireValid(body, call.body, 'body')
  if (query) requireValid(query, call.query, 'query')
  if (headers) requireValid(headers, call.headers, 'header')
}

export function requireValid(validate: Validate, value: unknown, part: string): void {
  if (validate(value)) return
  const errors = toFieldErrors(validate.errors ?? [])
  throw new AppError('validation-error', `The ${part} does not fit; see errors.`, { errors })
}
