import type { Command, FieldError, Problem } from './types.ts'

interface ErrorDetails {
  code: string
  cause?: unknown
}

/** Every error that the SDK throws, except the reason of an aborted `signal`, which is rethrown unchanged. */
export class PorticoError extends Error {
  /** Stable, for programs: a code of the API, of the token endpoint, of a command or of the SDK. */
  readonly code: string

  constructor(message: string, { code, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** An option is missing or invalid; nothing was sent. */
export class ConfigurationError extends PorticoError {
  constructor(message: string) {
    super(message, { code: 'configuration' })
  }
}

/** The content of an error response. */
export interface ApiErrorDetails {
  status: number
  code: string
  message: string
  headers: Headers
  requestId: string | undefined
  problem?: Problem | undefined
}

/** The server responded with an error. */
export class ApiError extends PorticoError {
  readonly status: number
  /** `X-Request-Id` of the response: include it when you ask for help. */
  readonly requestId: string | undefined
  /** The body of the response, if it was problem details (RFC 9457). */
  readonly problem: Problem | undefined
  /** The invalid fields. */
  readonly errors: FieldError[]
  readonly headers: Headers
  /** How long the server requested to wait (`Retry-After`). */
  readonly retryAfterMs: number | undefined

  constructor({ status, code, message, headers, requestId, problem }: ApiErrorDetails) {
    super(requestId === undefined ? message : `${message} (request ${requestId})`, { code })
    this.status = status
    this.requestId = requestId
    this.problem = problem
    this.errors = problem?.errors ?? []
    this.headers = headers
    this.retryAfterMs = readRetryAfter(headers)
  }
}

/** 400: a parameter or the body is invalid; see `errors`. */
export class BadRequestError extends ApiError {}

/** 401, and every rejection by the token endpoint. */
export class CredentialsError extends ApiError {
  /** Number of the token endpoint’s error, such as 7000215 for a wrong secret. */
  readonly aadsts: number | undefined
  /** Set if nothing was sent, because the same credentials were rejected that many milliseconds ago. */
  readonly cachedFor: number | undefined

  constructor(details: ApiErrorDetails, more: { aadsts?: number | undefined; cachedFor?: number } = {}) {
    super(details)
    this.aadsts = more.aadsts
    this.cachedFor = more.cachedFor
  }
}

/** 403: the role or the site is not granted to you. */
export class ForbiddenError extends ApiError {}

/** 404 */
export class NotFoundError extends ApiError {}

/** 409 */
export class ConflictError extends ApiError {}

/** 410: the endpoint or the data no longer exists. */
export class GoneError extends ApiError {
  /** The address that replaces it, if there is one. */
  get successor(): string | undefined {
    return findSuccessor(this.headers)
  }
}

/** 422: the idempotency key was used for another request. */
export class IdempotencyError extends ApiError {}

/** 429 */
export class RateLimitError extends ApiError {}

/** 5xx */
export class ServerError extends ApiError {}

/** No response: the connection failed or was closed. `cause` has the reason. */
export class ConnectionError extends PorticoError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'connection', cause })
  }
}

/** No response in time: `timeoutMs` of one attempt, or `deadlineMs` of the whole call. */
export class TimeoutError extends PorticoError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'timeout', cause })
  }
}

/** A command ended without effect. `code` is that of its failure reason, such as DEVICE_REJECTED, or its state. */
export class CommandFailedError extends PorticoError {
  readonly command: Command

  constructor(command: Command) {
    const { state, failureReason } = command
    super(`The command ended as ${state}${failureReason ? `: ${failureReason.message}` : ''}`, {
      code: failureReason?.code ?? state,
    })
    this.command = command
  }
}

/** A command did not end in time. It is still active: wait again, or cancel it. */
export class WaitTimeoutError extends PorticoError {
  /** The command as it was last seen. */
  readonly command: Command

  constructor(command: Command, timeoutMs: number) {
    super(`The command is still ${command.state} after ${timeoutMs} ms`, { code: 'wait-timeout' })
    this.command = command
  }
}

export type WebhookErrorCode =
  | 'body-was-parsed'
  | 'headers-missing'
  | 'timestamp'
  | 'signature'
  | 'secret-shape'

/** A webhook that must not be trusted. */
export class WebhookError extends PorticoError {
  declare readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message, { code })
  }
}

/** Set here because the names of classes are shortened in the published package. */
const NAMED = {
  PorticoError,
  ConfigurationError,
  ApiError,
  BadRequestError,
  CredentialsError,
  ForbiddenError,
  NotFoundError,
  ConflictError,
  GoneError,
  IdempotencyError,
  RateLimitError,
  ServerError,
  ConnectionError,
  TimeoutError,
  CommandFailedError,
  WaitTimeoutError,
  WebhookError,
}
for (const [name, { prototype }] of Object.entries(NAMED)) prototype.name = name

const BY_STATUS: Record<number, new (details: ApiErrorDetails) => ApiError> = {
  400: BadRequestError,
  401: CredentialsError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  422: IdempotencyError,
  429: RateLimitError,
}

/** The error of a response of the API. */
export function toApiError(response: Response, text: string): ApiError {
  const { status, headers } = response
  const body = parseObject(text)
  const type = body?.['type']
  const problem = typeof type === 'string' ? (body as unknown as Problem) : undefined
  const detail = problem?.detail ?? problem?.title
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Class({
    status,
    code: problem === undefined ? `http-${status}` : problem.type.slice(problem.type.lastIndexOf('/') + 1),
    message: `${detail ?? `The server answered with ${status}.`}${listFields(problem)}`,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    problem,
  })
}

function listFields(problem: Problem | undefined): string {
  const fields = Array.isArray(problem?.errors) ? problem.errors : []
  return fields.length === 0
    ? ''
    : ` [${fields.map(({ field, message }) => `${field}: ${message}`).join('; ')}]`
}

/** The error of a response of the token endpoint. */
export function toTokenError(response: Response, text: string): ApiError {
  const { status, headers } = response
  const body = parseObject(text)
  const description = body?.['error_description']
  const [aadsts] = Array.isArray(body?.['error_codes']) ? body['error_codes'] : []
  const requestId = body?.['trace_id']
  const details: ApiErrorDetails = {
    status,
    code: typeof body?.['error'] === 'string' ? body['error'] : `http-${status}`,
    message:
      typeof description === 'string'
        ? description.replace(/ Trace ID: .*/s, '')
        : `The token endpoint answered with ${status}.`,
    headers,
    requestId: typeof requestId === 'string' ? requestId : (headers.get('x-request-id') ?? undefined),
  }
  if (status === 429) return new RateLimitError(details)
  if (status >= 500) return new ServerError(details)
  return new CredentialsError(details, { aadsts: typeof aadsts === 'number' ? aadsts : undefined })
}

/** `Retry-After` in milliseconds; undefined if it is absent or unreadable. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = Date.parse(value)
  if (Number.isNaN(at)) return undefined
  // The server’s clock, if the response has a date: the clock of this machine may be wrong.
  const now = Date.parse(headers.get('date') ?? '')
  return Math.max(0, at - (Number.isNaN(now) ? Date.now() : now))
}

export const findSuccessor = (headers: Headers): string | undefined =>
  /<([^>]*)>\s*;[^,]*rel="?successor-version"?/.exec(headers.get('link') ?? '')?.[1]

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
