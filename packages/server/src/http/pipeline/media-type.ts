import type { IncomingHttpHeaders } from 'node:http'

/** The media type of the request body in lower case, without parameters; empty if there is no Content-Type. */
export function readMediaType({ 'content-type': type = '' }: IncomingHttpHeaders): string {
  const [mediaType = ''] = type.split(';', 1)
  return mediaType.trim().toLowerCase()
}
