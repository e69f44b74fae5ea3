import type { TokenErrorBody } from '@portico/wire/oauth/token'
import { ERRORS, NotReadyError } from '../../kernel/errors.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { isUuid, newUuid } from '../../kernel/ids.ts'
import { type HeaderList, JSON_TYPE, type Reply } from '../pipeline/reply.ts'
import { toAppError } from '../pipeline/problem.ts'
import type { Services } from '../services.ts'
import { ISSUER_ERRORS, TokenError } from './errors.ts'
import { readForm, type FormRequest } from './form.ts'

/** The only code whose body has no error_uri. */
const WITHOUT_PAGE = 70003

/** The part of a request that its error response needs. */
interface FailedTokenRequest extends FormRequest {
  id: string
  url: string
}

export type TokenErrorServices = Pick<Services, 'accessLog' | 'addresses' | 'clock' | 'log' | 'metrics'>

export function renderTokenError(
  error: unknown,
  request: FailedTokenRequest,
  services: TokenErrorServices,
): Reply {
  const failure = toTokenError(error)
  services.metrics.tokensRefused.inc({ code: failure.code })
  const line = { traceId: request.id, code: failure.code, err: failure.cause }
  if (failure.cause instanceof NotReadyError) services.log.debug(line, 'token refused')
  else if (failure.status >= 500) services.log.error(line, 'token request failed')
  else if (services.accessLog.mayLogRefusal()) services.log.info(line, 'token refused')
  const headers: HeaderList = []
  // Without an Authorization header, the challenge would make openid-client ignore the body.
  if (failure.status === 401 && request.headers.authorization !== undefined)
    headers.push('www-authenticate', 'Basic realm="portico", charset="UTF-8"')
  if (failure.retryAfterSeconds !== undefined) headers.push('retry-after', failure.retryAfterSeconds)
  return {
    status: failure.status,
    type: JSON_TYPE,
    headers,
    body: JSON.stringify(toBody(failure, request, services)),
  }
}

const toBody = (
  failure: TokenError,
  request: FailedTokenRequest,
  { addresses, clock }: TokenErrorServices,
): TokenErrorBody =>
  toTokenErrorBody(failure, {
    authUrl: addresses.authUrl,
    traceId: request.id,
    correlationId: findCorrelationId(request) ?? newUuid(),
    timestamp: isoInstant(clock.now()),
  })

interface Occurrence {
  authUrl: string
  traceId: string
  correlationId: string
  timestamp: string
}

export function toTokenErrorBody(
  { code, message }: TokenError,
  { authUrl, traceId, correlationId, timestamp }: Occurrence,
): TokenErrorBody {
  const body: TokenErrorBody = {
    error: ISSUER_ERRORS[code].error,
    error_description:
      `AADSTS${code}: ${message} ` +
      `Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`,
    error_codes: [code],
    timestamp,
    trace_id: traceId,
    correlation_id: correlationId,
  }
  if (code !== WITHOUT_PAGE) body.error_uri = `${authUrl}/error?code=${code}`
  return body
}

/** Maps errors of the pipeline and the store to errors of the issuer. */
function toTokenError(error: unknown): TokenError {
  if (error instanceof TokenError) return error
  const failure = toAppError(error)
  const { status } = ERRORS[failure.code]
  if (status === 503) {
    return new TokenError(90033, { cause: failure, retryAfterSeconds: failure.retryAfterSeconds ?? 2 })
  }
  if (status >= 500) return new TokenError(50000, { cause: failure.cause ?? failure })
  if (status === 413) return new TokenError(9002313, { about: 'the body is too large', status })
  if (status === 414) return new TokenError(9002313, { about: 'the URL is too long', status })
  if (status === 431) return new TokenError(9002313, { about: 'the headers are too large', status })
  if (status === 400) return new TokenError(9002313, { about: 'it cannot be parsed' })
  return new TokenError(9002313, { about: 'the body cannot be read' })
}

const NAME = 'client-request-id'

/** The client's correlation id, if it is a UUID: from the header, the body or the query. */
function findCorrelationId(request: FailedTokenRequest): string | undefined {
  const header = request.headers[NAME]
  const query = URL.parse(request.url, 'http://localhost')?.searchParams.get(NAME)
  return [header, formValue(request), query].find((value) => typeof value === 'string' && isUuid(value)) as
    | string
    | undefined
}

function formValue(request: FormRequest): string | undefined {
  try {
    return readForm(request).get(NAME)?.[0]
  } catch {
    return undefined
  }
}
