import assert from 'node:assert/strict'

export type JsonObject = Record<string, unknown>

/** Narrows a decoded JSON value; fails with the value itself in the message. */
export function asObject(value: unknown): JsonObject {
  assert.ok(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `not an object: ${show(value)}`,
  )
  return value as JsonObject
}

export function asArray(value: unknown): unknown[] {
  assert.ok(Array.isArray(value), `not an array: ${show(value)}`)
  return value
}

export function asString(value: unknown): string {
  assert.ok(typeof value === 'string', `not a string: ${show(value)}`)
  return value
}

export function asInteger(value: unknown): number {
  assert.ok(Number.isInteger(value), `not an integer: ${show(value)}`)
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

function show(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value).slice(0, 500)
}
