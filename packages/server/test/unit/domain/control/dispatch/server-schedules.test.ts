import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServerScheduleRunner } from '../../../../../src/domain/control/dispatch/server-schedules.ts'
import type { ServerSchedule } from '../../../../../src/domain/control/command/store.ts'
import { newUuid } from '../../../../../src/kernel/ids.ts'
import { NOON } from '../../../../support/seed.ts'

test('a schedule whose site cannot be loaded does not stop the others', async () => {
  const schedules = [newUuid(), newUuid()].map(
    (siteUuid): ServerSchedule => ({ siteUuid, deviceUuid: newUuid(), nextAt: NOON, target: null }),
  )
  const [bad, good] = schedules
  assert.ok(bad && good)
  const advanced: string[] = []
  const errors: unknown[] = []
  const { runDue } = createServerScheduleRunner({
    serverSchedules: {
      due: async () => schedules,
      advance: async ({ siteUuid }) => void advanced.push(siteUuid),
      lastTarget: async () => null,
    },
    commands: { confirmed: () => Promise.reject(new Error('not part of this test')) },
    siteDirectory: {
      find(siteUuid) {
        if (siteUuid === bad.siteUuid) return Promise.reject(new Error('The row is damaged.'))
        return undefined
      },
      inspect: () => undefined,
      version: () => 1,
    },
    onError: (error) => void errors.push(error),
  })
  await runDue(NOON)
  assert.deepEqual(advanced, [good.siteUuid])
  assert.equal(errors.length, 1)
})
