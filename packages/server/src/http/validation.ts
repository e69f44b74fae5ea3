import type { FieldError } from '../errors.ts'

/** A finding of Ajv, or of TypeBox's own validator, which differs in how it names properties. */
interface Finding {
  keyword: string
  instancePath: string
  params: object
  message?: string
  parentSchema?: object
}

const FORMATS: Record<string, string> = { uuid: 'must be a UUID', 'date-time': 'must be a time in ISO 8601' }

/** The validator's findings as `errors[]`: which field, a stable code, what is allowed; one for each field and code. */
export function toFieldErrors(findings: readonly Finding[]): FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const finding of findings) {
    const error = toFieldError(finding)
    const key = `${error.field} ${error.code}`
    // A format says in words what the pattern beside it says in symbols.
    if (!errors.has(key) || finding.keyword === 'format') errors.set(key, error)
  }
  return [...errors.values()]
}

function toFieldError({ keyword, instancePath, params, message, parentSchema }: Finding): FieldError {
  const detail = params as Record<string, unknown>
  const at = (code: string, text: string, last?: unknown): FieldError => ({
    field: fieldOf(instancePath, last),
    code,
    message: text,
  })
  switch (keyword) {
    case 'required':
      return at('required', 'is required', detail['missingProperty'] ?? first(detail['requiredProperties']))
    case 'additionalProperties':
      return at(
        'unknown-field',
        `is not known here${allowedNames(parentSchema)}`,
        detail['additionalProperty'] ?? first(detail['additionalProperties']),
      )
    case 'type':
      return at('wrong-type', `must be of type ${String(detail['type'])}`)
    case 'enum':
      return at('not-allowed', `must be one of ${list(detail['allowedValues'])}`)
    case 'pattern':
      return at('malformed', message ?? 'has the wrong form')
    case 'format':
      return at('malformed', FORMATS[String(detail['format'])] ?? message ?? 'has the wrong form')
    default:
      return at('out-of-range', message ?? 'is out of range')
  }
}

const fieldOf = (path: string, last?: unknown): string => {
  const parts = path.split('/').slice(1)
  if (typeof last === 'string') parts.push(last)
  return parts.join('.')
}

const first = (values: unknown): unknown => (Array.isArray(values) ? values[0] : undefined)

const list = (values: unknown): string => (Array.isArray(values) ? values.join(', ') : String(values))

const allowedNames = (schema: object | undefined): string => {
  const names = schema && 'properties' in schema ? Object.keys(schema.properties ?? {}) : []
  return names.length === 0 ? '' : `; allowed: ${names.join(', ')}`
}
