import { ApiError, type FieldError } from '@portico/sdk'

/** The error of a field of the request, as a sentence. */
export function findMessage(errors: readonly FieldError[], field: string): string | undefined {
  const found = errors.filter((error) => error.field === field)
  return found.length === 0
    ? undefined
    : found.map(({ code, message }) => toSentence(code, message)).join(' ')
}

/** Messages of the API continue the name of the field: "must be from 7 to 25 degC". */
function toSentence(code: string, message: string): string {
  if (code === 'form') return message
  const text = message.replaceAll('degC', '°C')
  return `This ${text}${text.endsWith('.') ? '' : '.'}`
}

export const listFieldErrors = (error: Error | undefined): readonly FieldError[] =>
  error instanceof ApiError ? error.errors : []
