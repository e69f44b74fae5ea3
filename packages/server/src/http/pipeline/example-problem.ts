import { EXAMPLE } from '@portico/wire/example-ids'
import type { Problem } from '@portico/wire/problem'
import { AppError, type ErrorCode, type ErrorEntry, ERRORS } from '../../kernel/errors.ts'
import { toProblem } from './problem.ts'

/** The server of the examples in ERRORS. */
const PUBLIC_URL = 'https://api.example.com'

/** A request of a route, as far as examples of its errors show it. */
export interface ExampleRequest {
  path: string
  /** Errors of the route that differ from the example of the code. */
  errors: Readonly<Partial<Record<ErrorCode, AppError>>>
}

/** An error as a request might get it. */
export function toExampleError(code: ErrorCode, publicUrl = PUBLIC_URL): AppError {
  const { detail, errors = [] }: ErrorEntry['example'] = ERRORS[code].example
  return new AppError(code, detail.replaceAll(PUBLIC_URL, publicUrl), { errors })
}

/** The body of an error as a request might get it. */
export const toExampleProblem = (
  code: ErrorCode,
  request: ExampleRequest = { path: ERRORS[code].example.path, errors: {} },
  publicUrl = PUBLIC_URL,
): Problem =>
  toProblem(request.errors[code] ?? toExampleError(code), publicUrl, request.path, EXAMPLE.traceId)
