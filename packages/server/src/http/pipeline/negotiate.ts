import type { IncomingHttpHeaders } from 'node:http'

interface Choice {
  name: string
  quality: number
}

/** The entries of an Accept-like header with their weights; an invalid weight counts as 0. */
const parseHeader = (header: string): Choice[] =>
  header.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name === '') return []
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = weight === undefined ? 1 : Number(weight.slice(2))
    return [{ name, quality: quality >= 0 && quality <= 1 ? quality : 0 }]
  })

/** The candidate with the highest weight, the first one among equals; undefined if none is acceptable. */
function best<T extends string>(offered: readonly T[], getQuality: (candidate: T) => number): T | undefined {
  let found: T | undefined
  let foundQuality = 0
  for (const candidate of offered) {
    const quality = getQuality(candidate)
    if (quality > foundQuality) {
      found = candidate
      foundQuality = quality
    }
  }
  return found
}

/** Negotiates Accept: an exact type takes precedence over `text/*`, and that over the wildcard for all types. */
export function chooseType<T extends string>(
  header: string | undefined,
  offered: readonly T[],
): T | undefined {
  if (header === undefined || header.trim() === '') return offered[0]
  const entries = parseHeader(header)
  return best(offered, (type) => {
    const range = `${type.slice(0, type.indexOf('/'))}/*`
    const match = [type, range, '*/*'].flatMap(
      (name) => entries.find((entry) => entry.name === name) ?? [],
    )[0]
    return match?.quality ?? 0
  })
}

/** Whether a page answers a request better than JSON: it comes from a browser that opens an address. */
export const prefersHtml = ({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  chooseType(headers.accept, ['application/problem+json', 'application/json', 'text/html']) === 'text/html'

export type Coding = 'br' | 'gzip' | 'identity'

/**
 * Negotiates Accept-Encoding: no header means identity, and identity is acceptable unless excluded. A short body is
 * sent uncompressed if the header allows it. Undefined if every coding is excluded.
 */
export function chooseCoding(header: string | undefined, isShort: boolean): Coding | undefined {
  if (header === undefined) return 'identity'
  const entries = parseHeader(header)
  const star = entries.find(({ name }) => name === '*')
  const getQuality = (coding: Coding): number => {
    const own = entries.find(({ name }) => name === coding || (coding === 'gzip' && name === 'x-gzip'))
    if (own) return own.quality
    if (star) return star.quality
    return coding === 'identity' ? 0.001 : 0
  }
  if (isShort && getQuality('identity') > 0) return 'identity'
  return best<Coding>(['br', 'gzip', 'identity'], getQuality)
}

/** The media type of the request body in lower case, without parameters; empty if there is no Content-Type. */
export function readMediaType({ 'content-type': type = '' }: IncomingHttpHeaders): string {
  const [mediaType = ''] = type.split(';', 1)
  return mediaType.trim().toLowerCase()
}
