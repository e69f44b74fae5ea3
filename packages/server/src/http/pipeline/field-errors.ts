import { DESCRIBED_AS, FORM } from '@portico/wire/about'
import type { FieldError } from '../../kernel/errors.ts'

/** An error reported by TypeBox. */
interface Finding {
  keyword: string
  /** JSON Pointer to the schema that the value violates, after `#`. */
  schemaPath: string
  /** JSON Pointer to the value. */
  instancePath: string
  params: object
  message: string
}

const FORMATS: Record<string, string> = { uuid: 'must be a UUID', 'date-time': 'must be a time in ISO 8601' }

/** Bounds the size of the response; the first errors are enough to correct a request. */
const MAX_ERRORS = 100
/** The name of an unknown field may be as long as the body; the response repeats only this much of it. */
const MAX_FIELD_LENGTH = 200

/**
 * Converts the validator's errors to `errors[]`: field, stable code and what is allowed; one for each field and code.
 */
export function toFieldErrors(schema: object, value: unknown, findings: readonly Finding[]): FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const finding of findings) {
    for (const error of convertFinding(schema, value, finding)) {
      const key = `${error.field} ${error.code}`
      // The message of a format is readable; the one of a pattern beside it is a regular expression.
      if (!errors.has(key) || finding.keyword === 'format') errors.set(key, error)
      if (errors.size === MAX_ERRORS) return [...errors.values()]
    }
  }
  return [...errors.values()]
}

function convertFinding(schema: object, value: unknown, finding: Finding): FieldError[] {
  const { keyword, schemaPath, instancePath, message } = finding
  const detail = finding.params as Record<string, unknown>
  const at = (code: string, text: string, last?: unknown): FieldError[] => [
    { field: toFieldName(instancePath, last), code, message: text },
  ]
  switch (keyword) {
    // Errors of single union branches are meaningless.
    case 'anyOf':
    // The validator reports each unknown field as `boolean`, because its schema is `false`, and then all of them.
    case 'additionalProperties':
      return []
    case 'boolean':
      return at('unknown-field', `is unknown${allowedNames(resolvePointer(schema, schemaPath, 1))}`)
    case 'required':
      return toList(detail['requiredProperties']).flatMap((name) => at('required', 'is required', name))
    case 'type':
      if (detail['type'] === 'null') return []
      if (detail['type'] === 'string' && Array.isArray(resolvePointer(value, instancePath)))
        return at('repeated', 'must be given only once')
      return at('wrong-type', `must be of type ${String(detail['type'])}`)
    case 'enum':
      return at('not-allowed', `must be one of ${toList(detail['allowedValues']).join(', ')}`)
    case 'pattern':
      return at('malformed', describeForm(resolvePointer(schema, schemaPath)) ?? message)
    case 'format':
      return at('malformed', FORMATS[String(detail['format'])] ?? message)
    case 'minLength':
    case 'minProperties':
    case 'minItems':
      return at('out-of-range', 'must not be empty')
    default:
      return at('out-of-range', message)
  }
}

/** The value at a JSON Pointer, or `levelsUp` levels above it. */
function resolvePointer(document: unknown, pointer: string, levelsUp = 0): unknown {
  const segments = toSegments(pointer)
  return segments
    .slice(0, segments.length - levelsUp)
    .reduce<unknown>((value, segment) => (value as Record<string, unknown> | undefined)?.[segment], document)
}

const toSegments = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

interface PatternSchema {
  [FORM]?: string
  [DESCRIBED_AS]?: { type?: string; minimum?: number; maximum?: number }
}

/** What a pattern allows. A number in a query is text that matches a pattern; its bounds are in the API description. */
function describeForm(schema: unknown): string | undefined {
  const { [FORM]: form, [DESCRIBED_AS]: number } = schema as PatternSchema
  if (form !== undefined) return `must be ${form}`
  if (number?.type !== 'integer') return undefined
  const { minimum, maximum } = number
  return `must be a whole number ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`
}

const toFieldName = (path: string, last?: unknown): string => {
  const parts = toSegments(path)
  if (typeof last === 'string') parts.push(last)
  const field = parts.join('.')
  return field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH)}…` : field
}

const toList = (values: unknown): unknown[] => (Array.isArray(values) ? values : [values])

const allowedNames = (schema: unknown): string => {
  const names = Object.keys((schema as { properties?: object }).properties ?? {})
  return names.length === 0 ? '' : `; allowed: ${names.join(', ')}`
}
