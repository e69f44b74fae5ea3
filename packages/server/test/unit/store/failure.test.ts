import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../../src/errors.ts'
import { toAppFailure } from '../../../src/store/postgres/failure.ts'

test('a pooler that does not take a setting is named to the operator, and to nobody else', () => {
  const refused = Object.assign(new Error('unsupported startup parameter: statement_timeout'), {
    code: '08P01',
  })
  const failure = toAppFailure(refused)
  assert.ok(failure instanceof AppError)
  assert.equal(failure.code, 'unavailable')
  assert.match(failure.internal ?? '', /a pooler before it/)
  assert.doesNotMatch(failure.message, /pooler/)
})
