import { AppError, unavailable } from '../../../kernel/errors.ts'

/** SQLSTATE or the driver's code, never the message, which may contain hosts, tables and values. */
export const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * Transient errors: 08 connection lost, 53 out of resources, 57P0x shutting down or starting, 57014 and 25P0x timed
 * out, 55P03 lock not available, 25006 a standby that is not the primary yet, 28 and 3D000 access denied; Citus reports
 * 58030 and XX000 for a worker that is lost within a transaction.
 */
const PASSING_STATES = /^(08...|53...|57P0.|57014|55P03|25006|25P0[34]|28...|3D000|58030|XX000)$/
const SOCKET_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_[A-Z]+)$/

/** Errors that end the connection as well as the query. */
const ENDING_STATES = /^(08...|57P0.|25P0[34])$/

/** A Citus coordinator reports a lost connection to a worker as an error of one statement. */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR'

export const endsConnection = (error: unknown): boolean =>
  (ENDING_STATES.test(getErrorCode(error)) && !isOfStatement(error)) || SOCKET_CODES.test(getErrorCode(error))

/** An established connection has ended, as opposed to one that cannot be opened. */
const LOST_CODES = /^(57P01|ECONNRESET|EPIPE|CONNECTION_CLOSED)$/

export const isConnectionLost = (error: unknown): boolean =>
  LOST_CODES.test(getErrorCode(error)) && !isOfStatement(error)

export const connectionLost = (): Error =>
  Object.assign(new Error('The connection to the database was lost.'), { code: 'CONNECTION_CLOSED' })

const SERIALIZATION = ['40001', '40P01']
/** A row, table or type exists already: concurrent creation can fail with any of these. */
const TAKEN = ['23505', '42P07', '42710']
const NOT_A_CHARACTER = '22021'

export const isTaken = (error: unknown): boolean => TAKEN.includes(getErrorCode(error))

export const isRetryable = (error: unknown, retryOnDuplicate: boolean): boolean =>
  SERIALIZATION.includes(getErrorCode(error)) || (retryOnDuplicate && isTaken(error))

/** Explanations of the codes, for the log and the terminal. */
const REASONS: readonly [codes: RegExp, reason: string][] = [
  [/^3D000$/, 'there is no database of that name'],
  [/^28/, 'this user is not let in'],
  [/^53/, 'it has no room or no connection left'],
  [/^57014$/, 'it took too long'],
  [/^08P01$/, 'a pooler before it does not take a setting of the connection'],
  [/^(08006|58030|XX000)$/, 'it failed inside, or lost a worker'],
  [SOCKET_CODES, 'it cannot be reached'],
]

const toReason = (code: string): string =>
  REASONS.find(([codes]) => codes.test(code))?.[1] ?? 'it is not ready'

/** The response is 503 with Retry-After; the log has the cause. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = getErrorCode(error)
  if (code === NOT_A_CHARACTER)
    return new AppError('bad-request', 'A text has a zero byte, which cannot be stored.', { cause: error })
  const isPassing = PASSING_STATES.test(code) || SOCKET_CODES.test(code) || SERIALIZATION.includes(code)
  return isPassing ? unavailable(`The database failed: ${toReason(code)} (${code})`, error) : error
}

/** The partition is missing: another instance has dropped it since it was cached. */
export const hasNoPartition = (error: unknown): boolean => getErrorCode(error) === '23514'

/** The lock timeout has passed while another transaction held the table; reads the original error. */
export const isLockedOut = (error: unknown): boolean =>
  error instanceof AppError && getErrorCode(error.cause) === '55P03'
