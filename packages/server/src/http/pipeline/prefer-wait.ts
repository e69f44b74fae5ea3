/** Longest wait; a larger value counts as this. */
const MAX_SECONDS = 30

/** The seconds of `Prefer: wait=N` (RFC 7240); undefined if the header does not request a wait of at least a second. */
export function parsePreferWait(header: string | readonly string[] | undefined): number | undefined {
  const preferences = (typeof header === 'string' ? header : (header ?? []).join(',')).split(',')
  for (const preference of preferences) {
    const [, digits] = /^\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:;.*)?$/i.exec(preference) ?? []
    if (digits === undefined) continue
    const seconds = Number(digits)
    return seconds === 0 ? undefined : Math.min(seconds, MAX_SECONDS)
  }
  return undefined
}
