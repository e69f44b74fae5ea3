import type { IncomingHttpHeaders } from 'node:http'

/** The media type of a request's body in lower case, without parameters; empty if the request names none. */
export function readMediaType({ 'content-type': type = '' }: IncomingHttpHeaders): string {
  const [mediaType = ''] = type.split(';', 1)
  return mediaType.trim().toLowerCase()
}
