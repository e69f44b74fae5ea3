/** Checks for JSON that somebody else wrote. Each returns what it was given, narrowed, or throws. */

/** The fields that will be looked at are named, and nothing is known of them. */
export function expectObject<K extends string>(value: unknown, what: string): { [key in K]?: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${what} is no object`)
  return value
}

export function expectList(value: unknown, max: number, what: string): unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${what} is no list`)
  if (value.length > max) throw new RangeError(`${what} has more than ${max} entries`)
  return value
}

export function expectNumber(value: unknown, min: number, max: number, what: string): number {
  if (typeof value !== 'number' || !(value >= min && value <= max))
    throw new RangeError(`${what} is no number from ${min} to ${max}`)
  return value
}

export function expectText(value: unknown, pattern: RegExp, what: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError(`${what} has no such form`)
  return value
}
