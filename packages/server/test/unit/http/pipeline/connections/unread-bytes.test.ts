import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createUnreadBytes } from '../../../../../src/http/pipeline/connections/unread-bytes.ts'

const responseWith = (writableLength: number): ServerResponse =>
  Object.assign(new EventEmitter(), { writableLength }) as ServerResponse

test('a response whose connection is already closed holds nothing', () => {
  const unread = createUnreadBytes(100)
  unread.hold('a', Object.assign(responseWith(0), { closed: true }), 1_000)
  assert.equal(unread.checkRoom('a'), undefined)
})

test('a partner has room again when its responses have been sent or closed', () => {
  const unread = createUnreadBytes(100)
  const first = responseWith(60)
  const second = responseWith(0)
  unread.hold('a', first)
  assert.equal(unread.checkRoom('a'), undefined)
  unread.hold('a', second, 40)
  const refusal = unread.checkRoom('a')
  assert.deepEqual([refusal?.code, refusal?.retryAfterSeconds], ['rate-limited', 5])
  assert.equal(unread.checkRoom('b'), undefined)
  second.emit('close')
  assert.equal(unread.checkRoom('a'), undefined)
  first.emit('close')
  assert.equal(unread.checkRoom('a'), undefined)
})
