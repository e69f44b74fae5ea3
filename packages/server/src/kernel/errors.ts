/** Every error that the partner and operator APIs return. The code is also the path of the error's page. */
export const ERRORS = {
  'bad-request': {
    status: 400,
    title: 'Bad request',
    remedy: 'Correct the request as described in the detail, then send it again.',
  },
  'validation-error': {
    status: 400,
    title: 'Validation error',
    remedy: 'Each entry of errors names a field, what is wrong with it and what is allowed.',
  },
  'missing-site-id': {
    status: 400,
    title: 'Missing SiteId',
    remedy: 'Send the header SiteId with the UUID of a site; GET /v2/sites lists yours.',
  },
  'token-not-present': {
    status: 401,
    title: 'TokenNotPresent',
    remedy: 'Send the header Authorization: Bearer <ACCESS_TOKEN> with a token from the token endpoint.',
  },
  'token-expired': {
    status: 401,
    title: 'TokenExpired',
    remedy: 'Request a new token with the same credentials. There are no refresh tokens.',
  },
  'token-invalid': {
    status: 401,
    title: 'TokenInvalid',
    remedy: 'Request a new token from the token endpoint of this installation and send it unchanged.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    remedy: 'Ask the operator to grant the role or the site named in the detail.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    remedy: 'Check the address and the identifiers in it.',
  },
  'not-measured': {
    status: 404,
    title: 'Not measured',
    remedy:
      'Request one of the metrics named in the detail, or find a device that measures this one with metricType.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    remedy: 'Use one of the methods in the Allow header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    remedy: 'Send the whole request without long pauses.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    remedy: 'Accept one of the media types named in the detail.',
  },
  'not-controllable': {
    status: 409,
    title: 'Not controllable',
    remedy: 'GET /v2/devices lists in capabilities which commands each device accepts.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    remedy: 'The detail describes the conflict. Resolve it, then send the request again.',
  },
  'last-operator': {
    status: 409,
    title: 'Last operator',
    remedy:
      'Enable another partner with the role Operator first, or add one: portico partner add --role Operator.',
  },
  gone: {
    status: 410,
    title: 'Gone',
    remedy: 'Use the replacement named in the message and in the Link header.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    remedy: 'Send a smaller body.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    remedy: 'Keep the address within 8 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    remedy: 'Send the body with a Content-Type that the API description lists for the operation.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    remedy: 'Use a new Idempotency-Key for every new request, and the same one only to repeat it unchanged.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    remedy:
      'Wait for the number of seconds in Retry-After; the X-RateLimit headers show how many requests remain.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request header fields too large',
    remedy: 'Keep all headers together within 16 KiB.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    remedy: 'Report the traceId to the operator, who can find the cause in the log with it.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    remedy: 'Try again after the number of seconds in Retry-After.',
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>

export type ErrorCode = keyof typeof ERRORS

export interface FieldError {
  field: string
  code: string
  message: string
}

interface Particulars {
  /** Invalid fields, for the caller. */
  errors?: readonly FieldError[]
  /** For the log only: never sent to a caller. */
  internal?: string
  cause?: unknown
  retryAfterSeconds?: number
  /** The Allow header of a 405. */
  allow?: string
}

/** An error that a command prints as one line. For any other error, it prints the stack. */
export class UserFacingError extends Error {}

/** An error with a public text. Any other error is sent to callers as `internal`, with a reference only. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  readonly internal: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly allow: string | undefined

  constructor(code: ErrorCode, detail: string, particulars: Particulars = {}) {
    super(detail, particulars.cause === undefined ? undefined : { cause: particulars.cause })
    this.name = 'AppError'
    this.code = code
    this.errors = particulars.errors ?? []
    this.internal = particulars.internal
    this.retryAfterSeconds = particulars.retryAfterSeconds
    this.allow = particulars.allow
  }
}

/** The server is starting or stopping. Expected, so it is not logged as a failure. */
export class NotReadyError extends AppError {
  constructor(reason: string | undefined) {
    super('unavailable', 'The service is temporarily unavailable.', {
      internal: `Not ready: ${reason ?? 'unknown'}`,
      retryAfterSeconds: 2,
    })
  }
}

export const notFound = (resource: string): AppError =>
  new AppError('not-found', `There is no such ${resource}.`)

export const invalidField = (field: string, code: string, message: string): AppError =>
  new AppError('validation-error', `${field} ${message}.`, { errors: [{ field, code, message }] })

/** An external service that the response depends on is down; it is not called again for `retryAfterSeconds`. */
export const externalUnavailable = (data: string, retryAfterSeconds: number, cause: unknown): AppError =>
  new AppError('unavailable', `The source of ${data} is not responding, and there is no earlier data.`, {
    internal: `The external source of ${data} failed.`,
    cause,
    retryAfterSeconds,
  })

export const unavailable = (internal: string, cause?: unknown): AppError =>
  new AppError('unavailable', 'The service is temporarily unavailable.', {
    internal,
    cause,
    retryAfterSeconds: 2,
  })
