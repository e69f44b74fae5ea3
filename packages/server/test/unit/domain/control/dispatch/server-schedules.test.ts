import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServerScheduleRunner } from '../../../../../src/domain/control/dispatch/server-schedules.ts'
import type { ServerSchedule } from '../../../../../src/domain/control/command/store.ts'
import { unavailable } from '../../../../../src/kernel/errors.ts'
import { newUuid } from '../../../../../src/kernel/ids.ts'
import { DamagedData } from '../../../../../src/store/damage.ts'
import { NOON } from '../../../../support/seed.ts'

/** Due schedules of as many sites, of which some cannot be loaded. */
function createSchedules(count: number, loadError: (position: number) => Error | undefined) {
  const schedules = Array.from(
    { length: count },
    (): ServerSchedule => ({ siteUuid: newUuid(), deviceUuid: newUuid(), nextAt: NOON, target: null }),
  )
  const positions = new Map(schedules.map(({ siteUuid }, position) => [siteUuid, position]))
  const advanced: (number | undefined)[] = []
  const errors: unknown[] = []
  const { runDue } = createServerScheduleRunner({
    serverSchedules: {
      due: async (_now, limit) =>
        schedules.filter(({ siteUuid }) => !advanced.includes(positions.get(siteUuid))).slice(0, limit),
      advance: async ({ siteUuid }) => void advanced.push(positions.get(siteUuid)),
      lastTarget: async () => null,
    },
    commands: { confirmed: () => Promise.reject(new Error('not part of this test')) },
    siteDirectory: {
      find(siteUuid) {
        const error = loadError(positions.get(siteUuid) ?? -1)
        return error ? Promise.reject(error) : undefined
      },
      inspect: () => undefined,
      version: () => 1,
    },
    onError: (error) => void errors.push(error),
  })
  return { advanced, errors, run: () => runDue(NOON) }
}

test('a schedule whose site is damaged does not stop the others', async () => {
  const damage = new DamagedData('A row is damaged')
  const { advanced, errors, run } = createSchedules(2, (position) => (position === 0 ? damage : undefined))
  await run()
  assert.deepEqual(advanced, [1])
  assert.deepEqual(errors, [damage])
})

test('schedules that fail are not repeated in the same run, however many there are', async () => {
  const { advanced, errors, run } = createSchedules(600, () => new DamagedData('A row is damaged'))
  await run()
  assert.deepEqual(advanced, [])
  assert.equal(errors.length, 1)
})

test('an unavailable store ends the run', async () => {
  const failure = unavailable('The store is down.')
  const { advanced, errors, run } = createSchedules(2, (position) => (position === 0 ? failure : undefined))
  await assert.rejects(run(), failure)
  assert.deepEqual([advanced, errors], [[], []])
})
