import { getSystemErrorMessage } from 'node:util'
import { ConfigError } from '@portico/server/config/config'
import { AppError, type FieldError, UserFacingError } from '@portico/server/kernel/errors'
import { UsageError } from './command.ts'

/** A failed command, as it is printed. */
export interface Failure {
  exitCode: 1 | 2
  code: string
  message: string
  errors: readonly FieldError[]
}

export function toFailure(error: unknown): Failure {
  const failed = (code: string, message: string, errors: readonly FieldError[] = []): Failure => ({
    exitCode: code === 'usage' ? 2 : 1,
    code,
    message,
    errors,
  })
  if (error instanceof UsageError || error instanceof ConfigError) return failed('usage', error.message)
  if (!(error instanceof Error)) return failed('failed', String(error))
  // At the terminal, internal details may be shown.
  if (error instanceof AppError) return failed(error.code, error.internal ?? error.message, error.errors)
  const systemFailure = describeSystemFailure(error)
  if (systemFailure !== undefined) return failed('failed', systemFailure)
  // Any other error is a defect, so its stack is printed.
  return error instanceof UserFacingError
    ? failed('failed', error.message)
    : failed('internal', error.stack ?? error.message)
}

/** One line, and a line for each field error that it does not contain; one JSON object with `isJson`. */
export function formatFailure({ exitCode, code, message, errors }: Failure, isJson: boolean): string {
  if (isJson)
    return JSON.stringify({
      error: { code, message, ...(errors.length === 0 ? {} : { errors }) },
      exitCode,
    })
  const fields = errors
    // The message already names the sites.
    .filter((one) => one.code !== 'unknown-site')
    .map((one) => `${one.field} ${one.message}`)
    .filter((line) => !message.includes(line))
  return `portico: ${[message, ...fields].join('\n  ')}`
}

const SYSTEM_FAILURES: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'part of the path is a file, not a folder',
  ENOENT: 'it does not exist and cannot be created',
  EISDIR: 'it is a folder, not a file',
}

/** The system's own words for an error, such as `no space left on device`. */
export const describeSystemError = (error: NodeJS.ErrnoException): string =>
  (error.errno === undefined ? undefined : getSystemErrorMessage(error.errno)) ?? error.message

function describeSystemFailure(error: Error): string | undefined {
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) return undefined
  return `cannot use ${path ?? 'a file'}: ${SYSTEM_FAILURES[code] ?? error.message}`
}
