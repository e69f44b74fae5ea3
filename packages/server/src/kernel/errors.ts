export interface FieldError {
  field: string
  code: string
  message: string
}

export interface ErrorEntry {
  status: number
  title: string
  cause: string
  remedy: string
  /** Example values for the body of such an error, for its page and the API description. */
  example: { detail: string; path: string; errors?: readonly FieldError[] }
}

/** The codes of `errors[]`, with what they mean. */
export const FIELD_ERRORS = {
  required: 'The field is missing.',
  'unknown-field': 'There is no such field or parameter.',
  'wrong-type': 'The value has another JSON type.',
  malformed: 'The value does not have the required form.',
  'not-allowed': 'The value, or the field itself, is not allowed here.',
  'out-of-range': 'The value is too small, too large, too short or too long.',
  repeated: 'The parameter or the value is given more than once.',
  'not-found': 'There is no such record on the site.',
  'not-a-date': 'The date does not exist, such as 30 February.',
  'range-too-long': 'The time range is longer than the operation allows.',
  'invalid-cursor': 'The cursor is damaged, or belongs to another query.',
  gone: 'The events after this number are no longer kept.',
  'unknown-zone': 'The time zone is not in the IANA database.',
  'unknown-site': 'The site does not exist, or is not granted.',
  'not-supported': 'The device does not have this function.',
  'out-of-bounds': 'The temperature is outside of what the device or the policy of the site allows.',
  'off-step': 'The value is not a multiple of the step of the device.',
  overlap: 'Two periods overlap.',
  'too-many': 'The device does not support as many periods per day.',
  'exactly-one': 'Exactly one of several fields must be given.',
  'no-weekly-schedule': 'The device has no weekly schedule whose next period could end the override.',
  taken: 'The value belongs to another record.',
  conflict: 'The value contradicts what is stored.',
  'unknown-building': 'The inventory document has no such building.',
  'unknown-space': 'The inventory document has no such space.',
  'unknown-device': 'The inventory document has no such device.',
  'without-cluster': 'The name of a cluster needs a clusterUuid.',
  'two-buildings': 'The cluster has spaces in two buildings.',
  'two-names': 'The spaces of the cluster give it different names.',
  cycle: 'Sub-meters lead back to the device itself.',
  'too-deep': 'Too many meters are above the device.',
} as const satisfies Record<string, string>

export type FieldErrorCode = keyof typeof FIELD_ERRORS

/** Every error that the partner and operator APIs return. The code is also the path of the error's page. */
export const ERRORS = {
  'bad-request': {
    status: 400,
    title: 'Bad request',
    cause: 'The request cannot be read: its body is not valid JSON, or its address is malformed.',
    remedy: 'Correct the request as described in the detail, then send it again.',
    example: {
      detail: 'The request body is not valid JSON.',
      path: '/v2/devices/50d7c2b1-07e0-5c5e-81a3-87ac37a47dda/schedule',
    },
  },
  'validation-error': {
    status: 400,
    title: 'Validation error',
    cause: 'A field or parameter is unknown, missing, or has a value that is not allowed.',
    remedy: 'Each entry of errors names a field, what is wrong with it and what is allowed.',
    example: {
      detail: 'fromDateTime must be before toDateTime.',
      path: '/v2/spaces/57f5ffe1-0f4d-5239-ad95-e55dc80d156b/aggregate/electricity/hourly',
      errors: [{ field: 'fromDateTime', code: 'out-of-range', message: 'must be before toDateTime' }],
    },
  },
  'address-not-allowed': {
    status: 400,
    title: 'Address not allowed',
    cause: 'The address of a webhook is private, reserved or not encrypted.',
    remedy:
      'Use an https address that is public, or ask the operator to allow the network: WEBHOOK_ALLOWED_NETWORKS.',
    example: {
      detail: 'Webhooks must not be sent to this address.',
      path: '/v2/webhooks',
      errors: [{ field: 'url', code: 'not-allowed', message: 'must have a public address' }],
    },
  },
  'missing-site-id': {
    status: 400,
    title: 'Missing SiteId',
    cause: 'The request has no SiteId header, or one that is not a UUID.',
    remedy: 'Send the header SiteId with the UUID of a site; GET /v2/sites lists yours.',
    example: {
      detail: 'Send the SiteId header with the UUID of one of your sites.',
      path: '/v2/spaces',
      errors: [{ field: 'SiteId', code: 'required', message: 'is required' }],
    },
  },
  'token-not-present': {
    status: 401,
    title: 'TokenNotPresent',
    cause: 'The request has no Authorization header with a bearer token.',
    remedy: 'Send the header Authorization: Bearer <ACCESS_TOKEN> with a token from the token endpoint.',
    example: {
      detail: 'Send an access token: Authorization: Bearer <ACCESS_TOKEN>.',
      path: '/v2/sites',
    },
  },
  'token-expired': {
    status: 401,
    title: 'TokenExpired',
    cause: 'The token has expired: it is more than an hour old.',
    remedy: 'Request a new token with the same credentials. There are no refresh tokens.',
    example: {
      detail: 'The access token has expired.',
      path: '/v2/sites',
    },
  },
  'token-invalid': {
    status: 401,
    title: 'TokenInvalid',
    cause:
      'The token was not issued by this installation, was changed, or belongs to a partner that was disabled.',
    remedy: 'Request a new token from the token endpoint of this installation and send it unchanged.',
    example: {
      detail: 'The access token is not valid for this installation.',
      path: '/v2/sites',
    },
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    cause: 'The partner does not have the role or the site that the request needs.',
    remedy: 'Ask the operator to grant the role or the site named in the detail.',
    example: {
      detail: 'This request requires the role Devices.Control.',
      path: '/v2/devices/50d7c2b1-07e0-5c5e-81a3-87ac37a47dda/schedule',
    },
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    cause:
      'The address does not exist, or it names a space, device, command or event that is not on the site of the request.',
    remedy: 'Check the address and the identifiers in it.',
    example: {
      detail: 'There is no such space.',
      path: '/v2/spaces/57f5ffe1-0f4d-5239-ad95-e55dc80d156b/overview',
    },
  },
  'not-measured': {
    status: 404,
    title: 'Not measured',
    cause: 'The device does not measure the metric.',
    remedy:
      'Request one of the metrics named in the detail, or find a device that measures this one with metricType.',
    example: {
      detail: 'This device does not measure gas; it measures electricity, carbon.',
      path: '/v2/devices/b79fde86-a86d-5199-ad77-5d306f711ac8/consumption/gas',
    },
  },
  'events-gone': {
    status: 410,
    title: 'Events gone',
    cause: 'Events after the number in after, or in Last-Event-ID, are older than the retention of events.',
    remedy:
      'Read the state of what you need with the other calls, then continue without after, or after the number before the oldest event, which errors names.',
    example: {
      detail: 'Events after this number are no longer kept; the oldest is 17001.',
      path: '/v2/events',
      errors: [{ field: 'after', code: 'gone', message: 'the oldest is 17001' }],
    },
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    cause: 'The address exists, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
    example: {
      detail: 'Allowed methods: GET, HEAD.',
      path: '/v2/spaces',
    },
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    cause: 'The body arrived too slowly.',
    remedy: 'Send the whole request without long pauses.',
    example: {
      detail: 'The request did not arrive in time.',
      path: '/v2/devices/50d7c2b1-07e0-5c5e-81a3-87ac37a47dda/schedule',
    },
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    cause: 'The Accept header excludes every media type that the operation produces.',
    remedy: 'Accept one of the media types named in the detail.',
    example: {
      detail: 'Available media types: application/json, text/csv.',
      path: '/v2/spaces',
    },
  },
  'not-controllable': {
    status: 409,
    title: 'Not controllable',
    cause: 'The device does not accept commands, or not of this type.',
    remedy: 'GET /v2/devices lists in capabilities which commands each device accepts.',
    example: {
      detail: 'This device cannot be controlled.',
      path: '/v2/devices/b79fde86-a86d-5199-ad77-5d306f711ac8/schedule',
    },
  },
  'webhooks-off': {
    status: 409,
    title: 'Webhooks off',
    cause: 'The operator has switched webhooks off.',
    remedy: 'Read events with GET /v2/events, or ask the operator to switch webhooks on: WEBHOOKS=on.',
    example: {
      detail: 'This installation sends no webhooks.',
      path: '/v2/webhooks',
    },
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    cause: 'The request contradicts the current state, such as cancelling a command that has ended.',
    remedy: 'The detail describes the conflict. Resolve it, then send the request again.',
    example: {
      detail: 'The command is already CONFIRMED.',
      path: '/v2/devices/50d7c2b1-07e0-5c5e-81a3-87ac37a47dda/commands/0c9a3b52-64c1-4f0f-9a0e-7a5f0a1be6d2',
    },
  },
  'last-operator': {
    status: 409,
    title: 'Last operator',
    cause: 'The change would leave no enabled partner with the role Operator.',
    remedy:
      'Enable another partner with the role Operator first, or add one: portico partner add --role Operator.',
    example: {
      detail: 'This is the last enabled partner with the role Operator.',
      path: '/operator/partners/e1b6a5f0-3c2d-4b7a-8f19-5d2c6e7a9b01',
    },
  },
  gone: {
    status: 410,
    title: 'Gone',
    cause: 'The endpoint of version 1 was retired, or is switched off for a rehearsal.',
    remedy: 'Use the replacement named in the message and in the Link header.',
    example: {
      detail:
        'GET /v1/spaces/details/{spaceId} was retired on 2027-03-31; use GET https://api.example.com/v2/spaces/57f5ffe1-0f4d-5239-ad95-e55dc80d156b/overview.',
      path: '/v1/spaces/details/1053',
    },
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    cause: 'The body is larger than the operation accepts.',
    remedy: 'Send a smaller body.',
    example: {
      detail: 'The request body is larger than the limit of this endpoint.',
      path: '/operator/inventory',
    },
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    cause: 'The address is longer than 8 KiB.',
    remedy: 'Keep the address within 8 KiB.',
    example: {
      detail: 'The URL is longer than 8192 bytes.',
      path: '/v2/spaces',
    },
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The Content-Type of the body is not one that the operation accepts.',
    remedy: 'Send the body with a Content-Type that the API description lists for the operation.',
    example: {
      detail: 'This endpoint accepts a body with the Content-Type application/json.',
      path: '/v2/devices/50d7c2b1-07e0-5c5e-81a3-87ac37a47dda/schedule',
    },
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    cause: 'The Idempotency-Key was used within 24 hours for another device or another body.',
    remedy: 'Use a new Idempotency-Key for every new request, and the same one only to repeat it unchanged.',
    example: {
      detail: 'This Idempotency-Key was used with a different request.',
      path: '/v2/devices/50d7c2b1-07e0-5c5e-81a3-87ac37a47dda/schedule',
    },
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    cause:
      'The partner has sent more requests for this site than its limit allows, or the device has received too many commands.',
    remedy:
      'Wait for the number of seconds in Retry-After; the X-RateLimit headers show how many requests remain.',
    example: {
      detail: 'At most 180 requests per minute and 500 per five minutes are allowed.',
      path: '/v2/spaces',
    },
  },
  'headers-too-large': {
    status: 431,
    title: 'Request header fields too large',
    cause: 'All headers together are larger than 16 KiB.',
    remedy: 'Keep all headers together within 16 KiB.',
    example: {
      detail: 'The headers are larger than 16384 bytes.',
      path: '/v2/spaces',
    },
  },
  internal: {
    status: 500,
    title: 'Internal error',
    cause: 'The server failed in a way that was not foreseen.',
    remedy: 'Report the traceId to the operator, who can find the cause in the log with it.',
    example: {
      detail: 'An internal error occurred; give the operator the traceId.',
      path: '/v2/spaces',
    },
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    cause: 'The server is starting or stopping, or its database or an external source is not responding.',
    remedy: 'Try again after the number of seconds in Retry-After.',
    example: {
      detail: 'The service is temporarily unavailable.',
      path: '/v2/spaces',
    },
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

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
    const { stackTraceLimit } = Error
    // Capturing a stack trace takes a tenth of the time of a rejected request, and these traces are never used.
    if (ERRORS[code].status < 500) Error.stackTraceLimit = 0
    super(detail, particulars.cause === undefined ? undefined : { cause: particulars.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'AppError'
    this.code = code
    this.errors = particulars.errors ?? []
    this.internal = particulars.internal
    this.retryAfterSeconds = particulars.retryAfterSeconds
    this.allow = particulars.allow
  }
}

const TRY_AGAIN = { detail: 'The service is temporarily unavailable.', retryAfterSeconds: 2 }

/** The server is starting or stopping. Expected, so it is not logged as a failure. */
export class NotReadyError extends AppError {
  constructor(reason: string | undefined) {
    super('unavailable', TRY_AGAIN.detail, {
      internal: `Not ready: ${reason ?? 'unknown'}`,
      retryAfterSeconds: TRY_AGAIN.retryAfterSeconds,
    })
  }
}

export const notFound = (resource: string): AppError =>
  new AppError('not-found', `There is no such ${resource}.`)

export const invalidField = (field: string, code: FieldErrorCode, message: string): AppError =>
  new AppError('validation-error', `${field} ${message}.`, { errors: [{ field, code, message }] })

/** An external service that the response depends on is down; it is not called again for `retryAfterSeconds`. */
export const externalUnavailable = (data: string, retryAfterSeconds: number, cause: unknown): AppError =>
  new AppError('unavailable', `The source of ${data} is not responding, and there is no earlier data.`, {
    internal: `The external source of ${data} failed.`,
    cause,
    retryAfterSeconds,
  })

/** The store cannot be reached or written: other work on it would fail as well. */
export class UnavailableError extends AppError {
  constructor(internal: string, cause: unknown) {
    const { detail, retryAfterSeconds } = TRY_AGAIN
    super('unavailable', detail, { internal, cause, retryAfterSeconds })
  }
}

export const unavailable = (internal: string, cause?: unknown): UnavailableError =>
  new UnavailableError(internal, cause)

/** Some of the stored data cannot be read; other data can. */
export const unreadable = (internal: string): AppError => {
  const { detail, retryAfterSeconds } = TRY_AGAIN
  return new AppError('unavailable', detail, { internal, retryAfterSeconds })
}
