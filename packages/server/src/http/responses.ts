import { Problem } from '@portico/wire/problem'
import type { TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../errors.ts'

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
})

const ALWAYS: ErrorCode[] = ['bad-request', 'token-invalid', 'unavailable']

/** The responses of a route, for its description: the good answer and the problems it may meet. */
export function responses(
  status: 200 | 201 | 202,
  description: string,
  schema: TSchema,
  ...codes: ErrorCode[]
): Record<number, unknown> {
  const all: Record<number, unknown> = {
    [status]: { description, content: { 'application/json': { schema } } },
  }
  for (const code of [...ALWAYS, ...codes]) all[ERRORS[code].status] ??= problem(ERRORS[code].title)
  return all
}

export const noContent = (description: string, ...codes: ErrorCode[]): Record<number, unknown> => {
  const all: Record<number, unknown> = { 204: { description, type: 'null' } }
  for (const code of [...ALWAYS, ...codes]) all[ERRORS[code].status] ??= problem(ERRORS[code].title)
  return all
}
