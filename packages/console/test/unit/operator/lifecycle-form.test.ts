import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findProblem, toChange, toForm } from '../../../src/operator/lifecycle-form.ts'

const STORED = {
  method: 'GET',
  path: '/tenant/logo',
  state: 'retiring',
  replacement: null,
  deprecatedAt: '2026-11-01T00:00:00.000Z',
  sunsetAt: null,
  blackouts: [{ from: '2027-02-01T09:00:00.000Z', to: '2027-02-01T10:00:00.000Z' }],
} as const satisfies object
const stored = { ...STORED, blackouts: [...STORED.blackouts] }
const KEY = { method: 'GET', path: '/tenant/logo' }

describe('the dates of an endpoint', () => {
  it('are not sent if they are as stored', () => {
    assert.equal(toChange(stored, toForm(stored)), undefined)
  })

  it('are sent field by field', () => {
    const form = toForm(stored)
    assert.deepEqual(toChange(stored, { ...form, sunset: '2027-03-31' }), { ...KEY, sunsetAt: '2027-03-31' })
    assert.deepEqual(toChange(stored, { ...form, deprecated: '' }), { ...KEY, deprecatedAt: null })
    assert.deepEqual(toChange(stored, { ...form, blackouts: [] }), { ...KEY, blackouts: [] })
  })

  it('have blackouts in UTC, whatever the time zone of the browser', () => {
    const form = { ...toForm(stored), blackouts: [{ from: '2027-02-01T09:00', to: '2027-02-01T11:30' }] }
    assert.deepEqual(toChange(stored, form)?.blackouts, [
      { from: '2027-02-01T09:00:00Z', to: '2027-02-01T11:30:00Z' },
    ])
  })

  it('are refused if they contradict each other', () => {
    const form = toForm(stored)
    assert.equal(findProblem(form), undefined)
    assert.match(findProblem({ ...form, sunset: '2026-10-31' }) ?? '', /before it is deprecated/)
    const blackouts = [{ from: '2027-02-01T09:00', to: '2027-02-01T09:00' }]
    assert.match(findProblem({ ...form, blackouts }) ?? '', /must end after/)
    assert.match(findProblem({ ...form, blackouts: [{ from: '', to: '' }] }) ?? '', /start and an end/)
  })
})
