const SECRET_NAMES = ['clientSecret', 'authorization', 'token'] as const
const HIDDEN = '[redacted]'

type Entry = Record<string, unknown>

/** Redacts the values with a secret name in a log entry, at its top level and one level below. */
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

/** Returns the value itself if it has no secrets, which is nearly always the case. */
function hideIn<T extends object>(value: T): T {
  const secret = SECRET_NAMES.filter((name) => Object.hasOwn(value, name))
  if (secret.length === 0) return value
  const hidden = Object.fromEntries(secret.map((name) => [name, HIDDEN]))
  // Copying an error would lose its class, message and stack.
  return value instanceof Error
    ? Object.create(value, Object.getOwnPropertyDescriptors(hidden))
    : { ...value, ...hidden }
}
