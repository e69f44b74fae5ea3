import { isUuid } from '@portico/server/kernel/ids'
import { MAX_SECRET_DAYS } from '@portico/server/domain/identity/partner/secret'
import { stringValue, UsageError, type Values } from './command.ts'

export function readUuid(text: string, name: string): string {
  if (!isUuid(text)) throw new UsageError(`${name} must be a UUID, not ${JSON.stringify(text)}`)
  return text.toLowerCase()
}

export function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const days = /^\d{1,4}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(days <= MAX_SECRET_DAYS)) {
    throw new UsageError(
      `--expires-in-days must be from 0 to ${MAX_SECRET_DAYS}, not ${JSON.stringify(text)}`,
    )
  }
  return days
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 100_000

/** The value of --limit. */
export function readLimit(values: Values): number {
  const text = stringValue(values, 'limit')
  if (text === undefined) return DEFAULT_LIMIT
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (!(limit >= 1 && limit <= MAX_LIMIT))
    throw new UsageError(`--limit must be from 1 to ${MAX_LIMIT}, not ${JSON.stringify(text)}`)
  return limit
}
