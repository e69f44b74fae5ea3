import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { TokenError } from './errors.ts'

/** The parts of a request from which a form is read. */
export interface FormRequest {
  headers: IncomingHttpHeaders
  body?: unknown
}

/** Every parameter with all its values, so that repeated parameters can be rejected. */
export type Form = ReadonlyMap<string, readonly string[]>

const FORM_TYPE = /^application\/x-www-form-urlencoded *(;|$)/i

/** A body of another type has no parameters; one that cannot be decoded is rejected. */
export function readForm({ headers, body }: FormRequest): Form {
  const form = new Map<string, string[]>()
  const { 'content-type': type = '' } = headers
  if (!Buffer.isBuffer(body) || !FORM_TYPE.test(type)) return form
  try {
    if (!isUtf8(body)) throw new TypeError('The body is not UTF-8.')
    for (const pair of body.toString().split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const name = formDecode(equals === -1 ? pair : pair.slice(0, equals))
      const value = equals === -1 ? '' : formDecode(pair.slice(equals + 1))
      const values = form.get(name)
      if (values) values.push(value)
      else form.set(name, [value])
    }
  } catch (cause) {
    throw new TokenError(9002313, { about: 'the body is not properly encoded', cause })
  }
  return form
}

const ESCAPE = /[%+]/

/** Throws on an invalid percent escape and on bytes that are not UTF-8. */
export const formDecode = (text: string): string =>
  ESCAPE.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text
