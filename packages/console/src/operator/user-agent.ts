/** Names in the order in which they must be tried: most browsers also name those after them. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** "Firefox on Linux": enough to recognise one's own browser. */
export function toBrowser(agent: string): string {
  const find = (names: readonly (readonly [part: string, name: string])[]): string | undefined =>
    names.find(([part]) => agent.includes(part))?.[1]
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  if (!browser) return agent === '' ? 'unknown' : agent.slice(0, 60)
  return system ? `${browser} on ${system}` : browser
}
