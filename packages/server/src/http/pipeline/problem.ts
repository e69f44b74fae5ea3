import type { Problem } from '@portico/wire/problem'
import type { FastifyError } from 'fastify'
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

/** Fastify's errors with texts of our own; Fastify's texts never reach a client. */
const FRAMEWORK_ERRORS: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'payload-too-large',
    'The request body is larger than the limit of this endpoint.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported-media-type',
    'This endpoint does not accept a body of that Content-Type.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['bad-request', 'The request body is empty; JSON was expected.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['bad-request', 'The request body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'bad-request',
    'The length of the request body does not match Content-Length.',
  ],
  FST_ERR_MAX_PARAM_LENGTH: ['uri-too-long', 'A path segment is longer than the limit of this server.'],
  FST_ERR_BAD_URL: ['bad-request', 'The path is not a valid URL path.'],
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as Partial<FastifyError>
  const mapped = code === undefined ? undefined : FRAMEWORK_ERRORS[code]
  if (mapped) return new AppError(mapped[0], mapped[1])
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad-request', 'The request is malformed.', { cause: error })
  }
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
