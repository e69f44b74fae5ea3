import { MAX_IDENTIFIERS, MAX_METRICS } from '@portico/wire/v2/batch-bounds'
import { AppError, type FieldError, invalidField } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/ids.ts'
import { type Granularity, isMetricName, METRICS } from '../../../domain/metric/catalogue.ts'

/** The items of a comma-separated parameter: within the bound, and each of them only once. */
function parseList(field: string, text: string, max: number, what: string): string[] {
  const items = text.split(',')
  if (items.length > max) throw invalidField(field, 'out-of-range', `must have at most ${max} ${what}`)
  const errors: FieldError[] = []
  for (const [index, item] of items.entries()) {
    if (item === '') errors.push({ field: `${field}[${index}]`, code: 'malformed', message: 'is empty' })
    else if (items.indexOf(item) !== index)
      errors.push({ field: `${field}[${index}]`, code: 'repeated', message: 'must be given only once' })
  }
  if (errors.length > 0) throw toValidationError(field, errors)
  return items
}

const toValidationError = (field: string, errors: readonly FieldError[]): AppError =>
  new AppError('validation-error', `${field} is invalid; see \`errors\`.`, { errors })

/** The metrics in the order in which they are listed. `allowed` are those of the route. */
export function parseMetrics<T extends string>(
  text: string,
  granularity: Granularity | undefined,
  allowed: readonly T[],
): T[] {
  const field = 'metricTypes'
  const metrics = parseList(field, text, MAX_METRICS, 'metric types')
  const errors: FieldError[] = []
  for (const [index, metric] of metrics.entries()) {
    const at = `${field}[${index}]`
    if (!allowed.includes(metric as T))
      errors.push({ field: at, code: 'not-allowed', message: `must be one of ${allowed.join(', ')}` })
    else if (granularity && isMetricName(metric) && !METRICS[metric].granularities.includes(granularity))
      errors.push({ field: at, code: 'not-allowed', message: 'is available by day only: use /daily' })
  }
  if (errors.length > 0) throw toValidationError(field, errors)
  return metrics as T[]
}

/** Identifiers in lower case; undefined if the parameter is absent. */
export function parseUuids(field: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const uuids = parseList(field, text.toLowerCase(), MAX_IDENTIFIERS, 'UUIDs')
  const malformed = uuids.flatMap((uuid, index) =>
    isUuid(uuid) ? [] : [{ field: `${field}[${index}]`, code: 'malformed', message: 'must be a UUID' }],
  )
  if (malformed.length > 0) throw toValidationError(field, malformed)
  return uuids
}

/** The named records of the site; those of another site are treated as non-existent. */
export function requireNamed<T>(
  field: string,
  uuids: readonly string[],
  records: ReadonlyMap<string, T>,
  what: string,
): T[] {
  const found: T[] = []
  const missing: number[] = []
  for (const [index, uuid] of uuids.entries()) {
    const record = records.get(uuid)
    if (record) found.push(record)
    else missing.push(index)
  }
  if (missing.length > 0) throw namedNotFound(field, missing, what)
  return found
}

/** The records at these positions of a list do not exist. */
export const namedNotFound = (field: string, positions: readonly number[], what: string): AppError =>
  new AppError('not-found', `Some of ${field} do not exist; see \`errors\`.`, {
    errors: positions.map((position) => ({
      field: `${field}[${position}]`,
      code: 'not-found',
      message: `There is no such ${what}.`,
    })),
  })
