import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { FieldError } from '../errors.ts'

const fieldOf = (path: string, last?: unknown): string => {
  const parts = path.split('/').slice(1)
  if (typeof last === 'string') parts.push(last)
  return parts.join('.')
}

/** The validator's findings as `errors[]`: which field, a stable code, what is allowed. */
export const toFieldErrors = (findings: readonly FastifySchemaValidationError[]): FieldError[] =>
  findings.map(({ keyword, instancePath, params, message }) => {
    const at = (code: string, text: string, last?: unknown): FieldError => ({
      field: fieldOf(instancePath, last),
      code,
      message: text,
    })
    switch (keyword) {
      case 'required':
        return at('required', 'is required', params['missingProperty'])
      case 'additionalProperties':
        return at('unknown-field', 'is not known here', params['additionalProperty'])
      case 'type':
        return at('wrong-type', `must be of type ${String(params['type'])}`)
      case 'enum':
        return at('not-allowed', `must be one of ${allowed(params['allowedValues'])}`)
      case 'pattern':
      case 'format':
        return at('malformed', message ?? 'has the wrong form')
      default:
        return at('out-of-range', message ?? 'is out of range')
    }
  })

const allowed = (values: unknown): string => (Array.isArray(values) ? values.join(', ') : String(values))
