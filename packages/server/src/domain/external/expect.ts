/** Checks for JSON from external services. Each returns its narrowed argument or throws. */

/** `K` lists the fields to be read; their values are unchecked. */
export function expectObject<K extends string>(value: unknown, name: string): { [key in K]?: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${name} is not an object`)
  return value
}

export function expectList(value: unknown, max: number, name: string): unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${name} is not a list`)
  if (value.length > max) throw new RangeError(`${name} has more than ${max} entries`)
  return value
}

export function expectNumber(value: unknown, min: number, max: number, name: string): number {
  if (typeof value !== 'number' || !(value >= min && value <= max))
    throw new RangeError(`${name} is not a number from ${min} to ${max}`)
  return value
}

export function expectText(value: unknown, pattern: RegExp, name: string): string {
  if (typeof value !== 'string' || !pattern.test(value))
    throw new TypeError(`${name} has an unexpected format`)
  return value
}
