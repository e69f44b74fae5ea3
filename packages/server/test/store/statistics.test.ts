import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EVENT_TYPE_NAMES } from '../../src/domain/event/event.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import { addCommand, HOUR, newDeviceRef } from '../support/commands.ts'
import { addMeter, NOON } from '../support/seed.ts'
import { addWebhook, createEvents } from '../support/webhooks.ts'

for (const backend of BACKENDS) {
  describe(`statistics on ${backend.name}`, () => {
    test('commands are counted by state: unfinished ones with their age, finished ones of a period', async (t) => {
      const store = await backend.open(t)
      const { siteUuid } = await addMeter(store)
      await addCommand(store, newDeviceRef(siteUuid), { createdAt: NOON - HOUR })
      await addCommand(store, newDeviceRef(siteUuid))
      await addCommand(store, newDeviceRef(siteUuid), { state: 'FAILED', createdAt: NOON - 2 * HOUR })
      await addCommand(store, newDeviceRef(siteUuid), { state: 'FAILED', createdAt: NOON })
      const read = await store.statistics({ now: NOON, finishedSince: NOON - HOUR })
      assert.deepEqual(read.siteUuids, [siteUuid])
      assert.deepEqual(read.unfinishedCommands, [{ state: 'PENDING', count: 2, oldestAt: NOON - HOUR }])
      assert.deepEqual(read.finishedCommands, [{ state: 'FAILED', count: 1 }])
      assert.ok(read.outboxMessages >= 2)
      assert.equal(read.rollupDueSince, undefined)
      assert.ok(read.bytes > 10_000)
    })

    test('webhooks are counted by state, and deliveries that wait with their age', async (t) => {
      const store = await backend.open(t)
      const read = () => store.statistics({ now: NOON, finishedSince: NOON - HOUR })
      assert.deepEqual((await read()).webhooks, { enabled: 0, failing: 0, disabled: 0 })
      const siteUuid = newUuid()
      const { webhookUuid } = await addWebhook(store, [siteUuid])
      await addWebhook(store, [], { failingSince: NOON - HOUR })
      await addWebhook(store, [], { state: 'disabled', reason: 'failing', failingSince: NOON - HOUR })
      await store.events.append(siteUuid, createEvents([null, null]))
      const position = { siteUuid, webhookUuid }
      await store.webhooks.dealOut(
        position,
        { types: EVENT_TYPE_NAMES, lastNumber: 9, maxWaiting: 9, batch: 9 },
        NOON,
      )
      const { webhooks, waitingDeliveries, deliveryOldestAt } = await read()
      assert.deepEqual(
        { webhooks, waitingDeliveries, deliveryOldestAt },
        { webhooks: { enabled: 1, failing: 1, disabled: 1 }, waitingDeliveries: 2, deliveryOldestAt: NOON },
      )
    })

    test('counts of imports are added up, and each is taken by one caller only', async (t) => {
      const open = await backend.locate(t)
      const store = await open()
      assert.deepEqual(await store.importCounts.take(), {})
      await Promise.all([
        store.importCounts.add({ accepted: 3, 'too-old': 1 }),
        store.importCounts.add({ 'too-old': 2, accepted: 4, unchanged: 1 }),
      ])
      const taken = await Promise.all([store.importCounts.take(), store.importCounts.take()])
      assert.deepEqual(
        taken.filter((counts) => Object.keys(counts).length > 0),
        [{ accepted: 7, 'too-old': 3, unchanged: 1 }],
      )
      await store.importCounts.add({ accepted: 1 })
      assert.deepEqual(await store.importCounts.take(), { accepted: 1 })
    })
  })
}
