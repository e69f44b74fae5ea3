const SLASH = 47

/** Scheme and authority of an absolute-form request target. */
const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]*/i

/**
 * The request target in origin form (RFC 9112, 3.2.1). A server must accept the absolute form too (3.2.2); it is
 * converted before anything else uses the target, so that routing, links, versions and logs deal with one form only.
 */
export function toOriginForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target
  const authority = SCHEME_AND_AUTHORITY.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.charCodeAt(0) === SLASH ? rest : `/${rest}`
}
