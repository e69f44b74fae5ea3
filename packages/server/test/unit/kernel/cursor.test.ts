import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { signedCursors } from '../../../src/kernel/cursor.ts'

const cursors = signedCursors(() => new Uint8Array(32).fill(7))

test('a cursor decodes to its position in the list it was created for', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (scope, position) => {
      assert.equal(cursors.decode(scope, cursors.encode(scope, position)), position)
    }),
  )
})

test('a cursor of another list or another installation, or a modified one, is invalid', () => {
  const cursor = cursors.encode('a', 'position')
  assert.equal(cursors.decode('b', cursor), undefined)
  assert.equal(signedCursors(() => new Uint8Array(32)).decode('a', cursor), undefined)
  for (let index = 0; index < cursor.length; index += 1) {
    const other = cursor[index] === 'A' ? 'B' : 'A'
    assert.equal(cursors.decode('a', cursor.slice(0, index) + other + cursor.slice(index + 1)), undefined)
  }
})

test('any other text is invalid', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(cursors.decode('a', text), undefined)))
})
