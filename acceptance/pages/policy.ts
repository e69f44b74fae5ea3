import assert from 'node:assert/strict'
import type { Answer } from '../support/clients/requests.ts'

/** The directives of a page's content security policy, by name. */
export function parsePolicy({ headers }: Answer): Map<string, string[]> {
  const directives = (headers.get('content-security-policy') ?? '').split(';').map((part) => part.trim())
  return new Map(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
}

/**
 * Asserts that nothing loads from another host, only scripts that the page vouches for run, and no page may frame it.
 */
export function assertStrictPolicy(answer: Answer): void {
  const policy = parsePolicy(answer)
  assert.deepEqual(policy.get('default-src'), ["'none'"])
  assert.deepEqual(policy.get('base-uri'), ["'none'"])
  assert.deepEqual(policy.get('frame-ancestors'), ["'none'"])
  for (const source of policy.get('script-src') ?? []) assert.match(source, /^'(nonce-|sha256-|none')/)
  for (const source of [...policy.values()].flat()) {
    assert.match(source, /^('.+'|data:|blob:)$/, 'no other host and no wildcard')
  }
}
