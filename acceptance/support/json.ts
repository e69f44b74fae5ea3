import assert from 'node:assert/strict'

export type JsonObject = Record<string, unknown>

/** Narrows a decoded JSON value; fails with the value itself in the message. */
export function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) failWith('an object', value)
  return value as JsonObject
}

export function asArray(value: unknown): unknown[] {
  if (!Array.isArray(value)) failWith('an array', value)
  return value
}

export function asString(value: unknown): string {
  if (typeof value !== 'string') failWith('a string', value)
  return value
}

export function asInteger(value: unknown): number {
  if (!Number.isInteger(value)) failWith('an integer', value)
  return value as number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function asUuid(value: unknown): string {
  const text = asString(value)
  assert.match(text, uuid)
  return text
}

/** An ISO 8601 instant in UTC, as milliseconds. */
export function asInstant(value: unknown): number {
  const text = asString(value)
  assert.match(text, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/)
  return Date.parse(text)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    assert.fail(`not JSON: ${text.slice(0, 500)}`)
  }
}

/** Separate from the check: serialising a long value takes far longer than the check, which nearly always passes. */
function failWith(expected: string, value: unknown): never {
  const shown = value === undefined ? 'undefined' : JSON.stringify(value).slice(0, 500)
  assert.fail(`not ${expected}: ${shown}`)
}
