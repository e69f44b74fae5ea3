import { hash } from 'node:crypto'
import { isTooShortToCompress } from './compression.ts'
import { chooseCoding, type Coding } from './negotiate.ts'

export const toDigest = (body: string | Buffer): string => hash('sha1', body, 'base64url')

/** A strong ETag: each content coding of a representation has its own. */
export const toEtag = (digest: string, coding: Coding): string =>
  `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`

/** The ETag of a JSON body as it will be sent; of the uncompressed one if the header excludes every coding. */
export const toReplyEtag = (body: string, acceptEncoding: string | undefined): string =>
  toEtag(toDigest(body), chooseCoding(acceptEncoding, isTooShortToCompress(body)) ?? 'identity')

/** `*` matches any response, so the client has no earlier response to revalidate. */
export const isRevalidation = (ifNoneMatch: string): boolean => ifNoneMatch.trim() !== '*'

export const matchesIfNoneMatch = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag ||
    header.trim() === '*' ||
    header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag))
