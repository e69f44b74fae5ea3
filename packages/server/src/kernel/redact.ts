const SECRET_NAMES = ['clientSecret', 'authorization', 'token'] as const
const HIDDEN = '[redacted]'

type Entry = Record<string, unknown>

/** An entry of the log without the values that are secret by their name, its own and those one level down. */
export function redact(entry: Entry): Entry {
  let safe = hideIn(entry)
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value !== 'object' || value === null) continue
    const inner = hideIn(value)
    if (inner === value) continue
    if (safe === entry) safe = { ...entry }
    safe[name] = inner
  }
  return safe
}

/** The value itself where there is nothing to hide, which is nearly always. */
function hideIn<T extends object>(value: T): T {
  const secret = SECRET_NAMES.filter((name) => Object.hasOwn(value, name))
  if (secret.length === 0) return value
  const hidden = Object.fromEntries(secret.map((name) => [name, HIDDEN]))
  // An error is more than what can be copied of it.
  return value instanceof Error
    ? Object.create(value, Object.getOwnPropertyDescriptors(hidden))
    : { ...value, ...hidden }
}
