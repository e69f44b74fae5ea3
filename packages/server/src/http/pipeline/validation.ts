import type { FieldError } from '../../kernel/errors.ts'

/** An error reported by Ajv, or by TypeBox's own validator, which names properties differently. */
interface Finding {
  keyword: string
  instancePath: string
  params: object
  message?: string
  parentSchema?: object
  data?: unknown
}

const FORMATS: Record<string, string> = { uuid: 'must be a UUID', 'date-time': 'must be a time in ISO 8601' }

/** Bounds the size of the response; the first errors are enough to correct a request. */
const MAX_ERRORS = 100
/** The name of an unknown field may be as long as the body; the response repeats only this much of it. */
const MAX_FIELD_LENGTH = 200

/**
 * Converts the validator's errors to `errors[]`: field, stable code and what is allowed; one for each field and code.
 */
export function toFieldErrors(findings: readonly Finding[]): FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const finding of findings) {
    for (const error of convertFinding(finding)) {
      const key = `${error.field} ${error.code}`
      // The message of a format is readable; the one of a pattern beside it is a regular expression.
      if (!errors.has(key) || finding.keyword === 'format') errors.set(key, error)
      if (errors.size === MAX_ERRORS) return [...errors.values()]
    }
  }
  return [...errors.values()]
}

function convertFinding({
  keyword,
  instancePath,
  params,
  message,
  parentSchema,
  data,
}: Finding): FieldError[] {
  const detail = params as Record<string, unknown>
  const at = (code: string, text: string, last?: unknown): FieldError[] => [
    { field: toFieldName(instancePath, last), code, message: text },
  ]
  switch (keyword) {
    // Errors of union branches are meaningless on their own; TypeBox also reports errors about its own schemas.
    case 'anyOf':
    case 'boolean':
      return []
    case 'required':
      return toList(detail['missingProperty'] ?? detail['requiredProperties']).flatMap((name) =>
        at('required', 'is required', name),
      )
    case 'additionalProperties':
      return toList(detail['additionalProperty'] ?? detail['additionalProperties']).flatMap((name) =>
        at('unknown-field', `is not a known field${allowedNames(parentSchema)}`, name),
      )
    case 'type':
      if (detail['type'] === 'null') return []
      if (detail['type'] === 'string' && Array.isArray(data)) return at('repeated', 'must be given only once')
      return at('wrong-type', `must be of type ${String(detail['type'])}`)
    case 'enum':
      return at('not-allowed', `must be one of ${toList(detail['allowedValues']).join(', ')}`)
    case 'pattern':
      return at('malformed', inWords(parentSchema) ?? message ?? 'has an invalid format')
    case 'format':
      return at('malformed', FORMATS[String(detail['format'])] ?? message ?? 'has an invalid format')
    case 'minLength':
    case 'minProperties':
    case 'minItems':
      return at('out-of-range', 'must not be empty')
    default:
      return at('out-of-range', message ?? 'is out of range')
  }
}

/** The description of a schema with a pattern says in words what the pattern allows. */
const inWords = (schema: object | undefined): string | undefined => {
  const description = schema && 'description' in schema ? schema.description : undefined
  return typeof description === 'string' ? `must be ${lowerFirst(description.replace(/\.$/, ''))}` : undefined
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

const toFieldName = (path: string, last?: unknown): string => {
  const parts = path.split('/').slice(1)
  if (typeof last === 'string') parts.push(last)
  const field = parts.join('.')
  return field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH)}…` : field
}

const toList = (values: unknown): unknown[] => (Array.isArray(values) ? values : [values])

const allowedNames = (schema: object | undefined): string => {
  const names = schema && 'properties' in schema ? Object.keys(schema.properties ?? {}) : []
  return names.length === 0 ? '' : `; allowed: ${names.join(', ')}`
}
