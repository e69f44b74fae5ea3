import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPlannedCommand } from '../../../../../src/domain/control/schedule/planned-command.ts'
import type { Command } from '../../../../../src/domain/control/command/command.ts'
import type { Schedule } from '../../../../../src/domain/control/schedule/schedule.ts'
import { getZone } from '../../../../../src/calendar/zone.ts'

const command = (schedule: Schedule): Command => ({
  siteUuid: '5f1c2a5e-0000-4000-8000-000000000001',
  deviceUuid: '5f1c2a5e-0000-4000-8000-000000000002',
  commandUuid: '5f1c2a5e-0000-4000-8000-000000000003',
  partnerUuid: '5f1c2a5e-0000-4000-8000-000000000004',
  type: schedule.type,
  state: 'CONFIRMED',
  createdAt: 1,
  updatedAt: 3,
  expiresAt: 4,
  completedAt: 3,
  failureReason: null,
  clientReference: null,
  schedule,
})

test('a command uses its own time zone, or else that of its site', () => {
  const zoneFor = (schedule: Schedule): string =>
    toPlannedCommand(command(schedule), getZone('Europe/London')).zone.name
  assert.equal(zoneFor({ type: 'resume' }), 'Europe/London')
  assert.equal(zoneFor({ type: 'resume', timeZone: 'UTC' }), 'UTC')
})

test('its time counts from its acceptance, not from its confirmation', () => {
  assert.equal(toPlannedCommand(command({ type: 'resume' }), getZone('UTC')).createdAt, 1)
})
