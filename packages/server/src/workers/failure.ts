import { AppError, type ErrorCode, type FieldError } from '../errors.ts'

/** A failure on its way to another process, where classes do not survive. */
export type SerializedError =
  | {
      kind: 'app'
      code: ErrorCode
      detail: string
      errors: readonly FieldError[]
      internal: string | undefined
      retryAfterSeconds: number | undefined
    }
  | { kind: 'other'; message: string; stack: string | undefined }

export function serializeError(error: unknown): SerializedError {
  if (error instanceof AppError) {
    const { code, message: detail, errors, internal, retryAfterSeconds } = error
    return { kind: 'app', code, detail, errors, internal, retryAfterSeconds }
  }
  if (error instanceof Error) return { kind: 'other', message: error.message, stack: error.stack }
  return { kind: 'other', message: String(error), stack: undefined }
}

export function deserializeError(sent: SerializedError): Error {
  if (sent.kind === 'other') {
    const error = new Error(sent.message)
    if (sent.stack !== undefined) error.stack = sent.stack
    return error
  }
  const { code, detail, errors, internal, retryAfterSeconds } = sent
  return new AppError(code, detail, {
    errors,
    ...(internal === undefined ? {} : { internal }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
