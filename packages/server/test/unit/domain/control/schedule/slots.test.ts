import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schedule } from '../../../../../src/domain/control/schedule/schedule.ts'
import { toSlot, supersedes } from '../../../../../src/domain/control/schedule/slots.ts'
import { SCHEDULE_TYPES } from '../../../../../src/domain/estate/inventory/inventory.ts'
import { accepted } from '../../../../support/planned-command.ts'

const target = { temperature: 20 }
const weekly: Schedule = { type: 'weekly', default: target, periods: [] }
const override: Schedule = { type: 'override', target, permanent: true }
const boost: Schedule = { type: 'boost', durationMinutes: 30 }
const resume: Schedule = { type: 'resume' }
const oneOff = (startsAt: string, endsAt: string, timeZone = 'Europe/London'): Schedule => ({
  type: 'oneOff',
  startsAt,
  endsAt,
  target,
  timeZone,
})
const morning = oneOff('2026-07-06T06:00', '2026-07-06T09:00')

const does = (newer: Schedule, older: Schedule): boolean =>
  supersedes(accepted(newer, '2026-07-02T00:00Z'), accepted(older, '2026-07-01T00:00Z'))

test('override, boost and resume share a slot', () => {
  assert.deepEqual(SCHEDULE_TYPES.map(toSlot), ['weekly', 'oneOff', 'override', 'override', 'override'])
})

test('a newer command supersedes an older one of its slot, and of no other', () => {
  const all = [weekly, override, boost, resume, morning]
  const table = all.map((newer) => all.map((older) => (does(newer, older) ? 1 : 0)).join(''))
  assert.deepEqual(table, ['10000', '01110', '01110', '01110', '00001'])
})

test('a one-off supersedes another only if their times overlap', () => {
  assert.ok(does(oneOff('2026-07-06T08:59', '2026-07-06T10:00'), morning))
  assert.ok(does(oneOff('2026-07-06T07:00', '2026-07-06T08:00'), morning))
  assert.ok(does(oneOff('2026-07-05T00:00', '2026-07-07T00:00'), morning))
  assert.ok(!does(oneOff('2026-07-06T09:00', '2026-07-06T10:00'), morning))
  assert.ok(!does(oneOff('2026-07-06T05:00', '2026-07-06T06:00'), morning))
})

test('times are compared as instants, each in its own time zone', () => {
  assert.ok(!does(oneOff('2026-07-06T08:00', '2026-07-06T09:00', 'UTC'), morning))
  assert.ok(does(oneOff('2026-07-06T09:00+02:00', '2026-07-06T10:00+02:00'), morning))
})
