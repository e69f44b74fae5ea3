import type { Problem } from '@portico/wire/problem'
import { AppError, ERRORS, type ErrorCode, notFound, NotReadyError } from '../../kernel/errors.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import type { HeaderList, Reply } from './reply.ts'
import type { Services } from '../services.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export const stripQuery = (url: string): string => {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

export function toProblem(error: AppError, publicUrl: string, path: string, traceId: string): Problem {
  const { status, title } = ERRORS[error.code]
  return {
    type: `${publicUrl}/errors/${error.code}`,
    title,
    status,
    detail: error.message,
    instance: path,
    traceId,
    errors: [...error.errors],
  }
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal', 'An internal error occurred; give the operator the traceId.', {
    cause: error,
  })
}

/** The part of a request that its error response needs. */
export interface FailedRequest {
  id: string
  url: string
  /** The client of the request's token, if the token is valid. */
  caller?: Client | null | undefined
}

/** Services needed to render an error. */
export type FailureServices = Pick<Services, 'addresses' | 'log' | 'accessLog'>

export const renderProblem = (error: unknown, request: FailedRequest, services: FailureServices): Reply =>
  renderFailure(error, request, services, PROBLEM_TYPE, (failure) =>
    toProblem(failure, services.addresses.publicUrl, stripQuery(request.url), request.id),
  )

/** Common to the errors of all surfaces: status, headers and logging. Each surface renders its own body. */
export function renderFailure(
  error: unknown,
  request: FailedRequest,
  services: FailureServices,
  type: string,
  toBody: (failure: AppError) => object,
): Reply {
  const failure = toAppError(error)
  const { status } = ERRORS[failure.code]
  logFailure(failure, request, services, status)
  const headers: HeaderList = ['cache-control', 'no-store']
  if (status === 401) headers.push('www-authenticate', challenge(failure.code))
  if (failure.allow !== undefined) headers.push('allow', failure.allow)
  if (failure.retryAfterSeconds !== undefined) headers.push('retry-after', failure.retryAfterSeconds)
  return { status, type, headers, body: JSON.stringify(toBody(failure)) }
}

/** RFC 6750, 3.1: without a token, the challenge names only the scheme; with an invalid token, also the error. */
const challenge = (code: ErrorCode): string => {
  if (code === 'token-not-present') return 'Bearer realm="portico"'
  const description =
    code === 'token-expired' ? 'The access token has expired' : 'The access token is not valid'
  return `Bearer realm="portico", error="invalid_token", error_description="${description}"`
}

function logFailure(
  failure: AppError,
  request: FailedRequest,
  { log, accessLog }: FailureServices,
  status: number,
): void {
  const line = { traceId: request.id, code: failure.code, internal: failure.internal, err: failure.cause }
  if (failure instanceof NotReadyError) log.debug(line, 'request refused')
  else if (status >= 500) log.error(line, 'request failed')
  else if (failure.internal !== undefined && (request.caller || accessLog.mayLogRefusal()))
    log.info(line, 'request refused')
}

export const routeNotFound = (): AppError => notFound('address')
