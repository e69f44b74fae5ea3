import { hash } from 'node:crypto'
import type { Coding } from './negotiate.ts'

export const toDigest = (body: string | Buffer): string => hash('sha1', body, 'base64url')

/** A strong ETag: representations in different codings have different ones. */
export const toEtag = (digest: string, coding: Coding): string =>
  `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`

/** `*` matches any response: the client has no earlier one to compare with, so this is not a revalidation. */
export const isRevalidation = (ifNoneMatch: string): boolean => ifNoneMatch.trim() !== '*'

export const matchesIfNoneMatch = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag ||
    header.trim() === '*' ||
    header.split(',').some((known) => known.trim().replace(/^W\//, '') === etag))
