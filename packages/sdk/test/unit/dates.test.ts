import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { ConfigurationError, lastDays, month, today, yesterday } from '../../src/index.ts'

test('the helpers return dates, which the server interprets in the zone of the site', () => {
  mock.timers.enable({ apis: ['Date'], now: new Date('2026-03-01T23:30:00Z') })
  try {
    assert.deepEqual(today(), { from: '2026-03-01', to: '2026-03-02' })
    assert.deepEqual(today('Europe/Berlin'), { from: '2026-03-02', to: '2026-03-03' })
    assert.deepEqual(yesterday(), { from: '2026-02-28', to: '2026-03-01' })
    assert.deepEqual(lastDays(1), today())
    assert.deepEqual(lastDays(3), { from: '2026-02-27', to: '2026-03-02' })
  } finally {
    mock.timers.reset()
  }
  assert.deepEqual(month('2026-10'), { from: '2026-10-01', to: '2026-11-01' })
  assert.deepEqual(month('2026-12'), { from: '2026-12-01', to: '2027-01-01' })
  assert.deepEqual(month('2026-02'), { from: '2026-02-01', to: '2026-03-01' })
  for (const name of ['2026-13', '2026-1', 'October']) assert.throws(() => month(name), ConfigurationError)
})
