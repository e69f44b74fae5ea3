import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND_LINE } from '../../../../src/domain/identity/audit.ts'
import { toWireEntry } from '../../../../src/http/operator/convert.ts'

test('an audit entry of release 0.1.0, whose expiresAt is in milliseconds, has a timestamp', () => {
  const at = Date.UTC(2026, 10, 16)
  const entry = { id: 1, at, actor: COMMAND_LINE, action: 'secret.added', target: 'partner' }
  assert.deepEqual(toWireEntry({ ...entry, detail: { hint: 'abc', expiresAt: at } }), {
    ...entry,
    at: '2026-11-16T00:00:00.000Z',
    detail: { hint: 'abc', expiresAt: '2026-11-16T00:00:00.000Z' },
  })
})
