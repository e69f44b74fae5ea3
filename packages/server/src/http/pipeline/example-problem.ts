import { EXAMPLE } from '@portico/wire/example-ids'
import type { Problem } from '@portico/wire/problem'
import { AppError, type ErrorCode, type ErrorEntry, ERRORS } from '../../kernel/errors.ts'
import { toProblem } from './problem.ts'

/** The body of an error as a request might get it. */
export function toExampleProblem(code: ErrorCode, publicUrl = 'https://api.example.com'): Problem {
  const { detail, path, errors = [] }: ErrorEntry['example'] = ERRORS[code].example
  return toProblem(new AppError(code, detail, { errors }), publicUrl, path, EXAMPLE.traceId)
}
