import type { IncomingHttpHeaders } from 'node:http'

/** The prefix makes browsers refuse it without `Secure`, with another path or with a domain. */
const NAME = '__Host-portico'
const FLAGS = 'HttpOnly; Secure; SameSite=Strict; Path=/'

/** A value that this server has issued: 256 bits in base64url. */
const VALUE = /^[\w-]{43}$/

export const setCookie = (value: string): string => `${NAME}=${value}; ${FLAGS}`

export const CLEAR_COOKIE = `${NAME}=; Max-Age=0; ${FLAGS}`

export function readCookie({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=')
    if (equals === -1 || pair.slice(0, equals).trim() !== NAME) continue
    const value = pair.slice(equals + 1).trim()
    return VALUE.test(value) ? value : undefined
  }
  return undefined
}
