interface IssuerError {
  status: number
  error: string
  /** The `error_description`. */
  text: string
  /** The cause that error pages show, if the text has a % or says what to do. */
  cause?: string
  remedy: string
}

/** Every error of the issuer: code, OAuth error, text and remedy. */
export const ISSUER_ERRORS = {
  70003: {
    status: 400,
    error: 'unsupported_grant_type',
    text: 'The grant_type is not supported; it must be client_credentials.',
    remedy: 'Send grant_type=client_credentials.',
  },
  700016: {
    status: 400,
    error: 'unauthorized_client',
    text: 'The client_id is not known to this issuer.',
    remedy: 'Use the client_id issued at onboarding.',
  },
  7000215: {
    status: 401,
    error: 'invalid_client',
    text: 'Invalid client secret provided. Send the secret value, not the secret ID.',
    cause: 'The client_secret is not a secret of this client; it may be the secret ID instead of the value.',
    remedy: 'Send the actual secret value.',
  },
  7000216: {
    status: 401,
    error: 'invalid_client',
    text: 'The client_secret is required.',
    remedy: 'Send client_secret in the form body, or the credentials as HTTP Basic.',
  },
  7000222: {
    status: 401,
    error: 'invalid_client',
    text: 'The client secret has expired.',
    remedy: 'Ask the operator for a new secret and send its value.',
  },
  7000112: {
    status: 400,
    error: 'unauthorized_client',
    text: 'The client is disabled.',
    remedy: 'Ask the operator why the client was disabled.',
  },
  900144: {
    status: 400,
    error: 'invalid_request',
    text: 'The request body must contain the parameter %.',
    cause: 'A required parameter is missing from the request body, or empty.',
    remedy:
      'Send client_id, client_secret, scope and grant_type as application/x-www-form-urlencoded, none of them empty.',
  },
  900561: {
    status: 400,
    error: 'invalid_request',
    text: 'The token endpoint accepts POST requests only.',
    remedy: 'Send a POST request.',
  },
  9002313: {
    status: 400,
    error: 'invalid_request',
    text: 'The request is malformed: %.',
    cause:
      'The request is malformed: its body cannot be decoded, a parameter is repeated, or credentials are sent in two places. If the body, the URL or the headers are too large, the status is 413, 414 or 431.',
    remedy: 'Send each parameter once, properly encoded, and the credentials in one place only.',
  },
  1002012: {
    status: 400,
    error: 'invalid_scope',
    text: 'The scope must be the resource followed by /.default.',
    remedy: 'Send scope=api://<client_id>/.default.',
  },
  70011: {
    status: 400,
    error: 'invalid_scope',
    text: 'The value of scope is not a single valid scope.',
    remedy: 'Send scope=api://<client_id>/.default, and no other scope with it.',
  },
  500011: {
    status: 400,
    error: 'invalid_resource',
    text: 'The scope names a resource that is not this client.',
    remedy: 'Send scope=api://<client_id>/.default with your own client_id.',
  },
  90055: {
    status: 429,
    error: 'temporarily_unavailable',
    text: 'Too many requests. Retry after the number of seconds in Retry-After.',
    cause: 'The client, or its address, has requested too many tokens.',
    remedy:
      'Wait for the number of seconds in Retry-After. Reuse a token until it expires instead of requesting one for each call.',
  },
  700054: {
    status: 400,
    error: 'unsupported_response_type',
    text: 'Interactive sign-in is not supported. Use the client credentials grant at the token endpoint.',
    cause: 'The request starts an interactive sign-in, which this issuer does not support.',
    remedy: 'Send a POST request with grant_type=client_credentials to the token endpoint.',
  },
  90033: {
    status: 503,
    error: 'temporarily_unavailable',
    text: 'The issuer is temporarily unavailable. Retry after the number of seconds in Retry-After.',
    cause: 'The server is starting or stopping, or its database is not responding.',
    remedy: 'Wait for the number of seconds in Retry-After, then send the same request again.',
  },
  50000: {
    status: 500,
    error: 'server_error',
    text: 'An internal error occurred in the issuer.',
    remedy: 'Contact the operator and give the trace_id.',
  },
} as const satisfies Record<number, IssuerError>

export type IssuerCode = keyof typeof ISSUER_ERRORS

export const isIssuerCode = (code: number): code is IssuerCode => Object.hasOwn(ISSUER_ERRORS, code)

/** The cause of an error as pages show it; the text of a response may contain details. */
export const getCause = (code: IssuerCode): string => {
  const { text, cause }: IssuerError = ISSUER_ERRORS[code]
  return cause ?? text
}

interface Particulars {
  /** Replaces the % in the text. Never contains the client's input. */
  about?: string
  /** A more specific status than that of the code. */
  status?: number
  retryAfterSeconds?: number
  cause?: unknown
}

export class TokenError extends Error {
  readonly code: IssuerCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: IssuerCode, particulars: Particulars = {}) {
    super(ISSUER_ERRORS[code].text.replace('%', particulars.about ?? ''), { cause: particulars.cause })
    this.name = 'TokenError'
    this.code = code
    this.status = particulars.status ?? ISSUER_ERRORS[code].status
    this.retryAfterSeconds = particulars.retryAfterSeconds
  }
}
