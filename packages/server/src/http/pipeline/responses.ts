import { Problem } from '@portico/wire/problem'
import type { TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
})

const ALWAYS: ErrorCode[] = ['bad-request', 'token-invalid', 'unavailable']

/** OpenAPI responses of a route: the success and its errors. */
export function responses(
  status: 200 | 201 | 202,
  description: string,
  schema: TSchema,
  ...codes: ErrorCode[]
): Record<string, unknown> {
  const all: Record<string, unknown> = {
    [status]: { description, content: { 'application/json': { schema } } },
  }
  return { ...all, ...problems(codes) }
}

/** OpenAPI responses of a route that also offers CSV. */
export function responsesWithCsv(
  description: string,
  schema: TSchema,
  ...codes: ErrorCode[]
): Record<string, unknown> {
  const content = { 'application/json': { schema }, 'text/csv': { schema: { type: 'string' } } }
  return { 200: { description, content }, ...problems([...codes, 'not-acceptable']) }
}

/** Every route can return the errors in ALWAYS; `default` stands for errors raised before the route's own code runs. */
const problems = (codes: readonly ErrorCode[]): Record<string, unknown> => {
  const all: Record<string, unknown> = {}
  for (const code of [...ALWAYS, ...codes]) all[ERRORS[code].status] ??= problem(ERRORS[code].title)
  return { ...all, default: problem('Any other problem') }
}

export const noContent = (description: string, ...codes: ErrorCode[]): Record<string, unknown> => {
  return { 204: { description }, ...problems(codes) }
}
