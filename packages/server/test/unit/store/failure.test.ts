import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../../src/kernel/errors.ts'
import { endsConnection, toStoreError } from '../../../src/store/postgres/pool/failure.ts'

test('a pooler that rejects a setting is named to the operator, and not to callers', () => {
  const refused = Object.assign(new Error('unsupported startup parameter: statement_timeout'), {
    code: '08P01',
  })
  const failure = toStoreError(refused)
  assert.ok(failure instanceof AppError)
  assert.equal(failure.code, 'unavailable')
  assert.match(failure.internal ?? '', /a pooler before it/)
  assert.doesNotMatch(failure.message, /pooler/)
})

const failed = (code: string, severity: string): Error =>
  Object.assign(new Error('on 10.0.0.7:5432'), { code, severity })

test('a lost Citus worker is retryable, and does not discard the connection to the coordinator', () => {
  for (const code of ['08006', '57P01', '57P02', '58030', 'XX000']) {
    const lost = failed(code, 'ERROR')
    const failure = toStoreError(lost)
    assert.ok(failure instanceof AppError, code)
    assert.equal(failure.code, 'unavailable', code)
    assert.equal(endsConnection(lost), false, code)
  }
})

test('a connection terminated by the database is not reused', () => {
  for (const code of ['08006', '57P01', '25P03'])
    assert.equal(endsConnection(failed(code, 'FATAL')), true, code)
  assert.equal(endsConnection(Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' })), true)
})
