import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createDeviceCounts } from '../../../../../src/domain/telemetry/device-status/count-devices.ts'
import { systemClock } from '../../../../../src/kernel/clock.ts'

test('sites that are slow to count are counted once, and not again for a multiple of that time', async () => {
  const counted: string[] = []
  const count = createDeviceCounts({
    clock: systemClock,
    siteDirectory: {
      async inspect(siteUuid) {
        counted.push(siteUuid)
        await delay(400)
        return undefined
      },
    },
    readings: { latest: async () => new Map() },
    presences: { list: async () => new Map() },
    usualSteps: { load: async () => new Map() },
  })
  const nothing = { byStatus: { online: 0, offline: 0, unknown: 0 }, series: 0 }
  const { bySite, ...sum } = await count(['a', 'b'])
  assert.deepEqual(sum, nothing)
  assert.deepEqual([...bySite.keys()], ['a', 'b'])
  assert.deepEqual(counted, ['a', 'b'])
  await count(['a', 'b'])
  assert.deepEqual(counted, ['a', 'b'])
  await count(['b', 'c'])
  assert.deepEqual(counted, ['a', 'b', 'c'])
})
