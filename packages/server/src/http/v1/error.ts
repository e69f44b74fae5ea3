import type { V1Error } from '@portico/wire/v1/error'
import { type AppError, ERRORS } from '../../kernel/errors.ts'
import { JSON_TYPE, type Reply } from '../pipeline/reply.ts'
import { type FailedRequest, type FailureServices, renderFailure } from '../pipeline/problem.ts'

/** Version 1 error bodies have a single message, so field errors are appended to it. */
const toMessage = ({ message, errors }: AppError): string => {
  const fields = errors.map((error) => `${error.field} ${error.message}`)
  const missing = fields.filter((text) => !message.includes(text))
  return missing.length === 0
    ? message
    : `${message.replace(/; see `errors`\.$/, ':')} ${missing.join('; ')}.`
}

export const renderV1Error = (error: unknown, request: FailedRequest, services: FailureServices): Reply =>
  renderFailure(error, request, services, JSON_TYPE, (failure) => toV1Error(failure, request.id))

export const toV1Error = (error: AppError, traceId: string): V1Error => ({
  status: ERRORS[error.code].status,
  message: toMessage(error),
  traceId,
})
