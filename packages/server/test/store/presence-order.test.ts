import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSignals } from '../../src/domain/telemetry/device-status/signals.ts'
import { deriveDeviceState } from '../../src/domain/telemetry/device-status/status.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { createMessageRouter } from '../../src/mqtt/message-router.ts'
import { handlePresence } from '../../src/mqtt/handlers/presence.ts'
import { toTopic } from '../../src/mqtt/topics.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { createClock } from '../support/clock.ts'
import { makeSmallSite } from '../support/small-site.ts'
import { entry, NOON } from '../support/seed.ts'

const ORDERS = [
  { messages: ['gateway online', 'device offline'], expected: 'offline' },
  { messages: ['device offline', 'gateway online'], expected: 'online' },
  { messages: ['device online', 'gateway offline'], expected: 'offline' },
  { messages: ['gateway offline', 'device online'], expected: 'online' },
]

/** A device behind a gateway, and the status that partners see. */
async function addDevice(store: Store) {
  const gatewayUuid = newUuid()
  const document = makeSmallSite('Europe/London', 1, [{ space: 0, metrics: {} }])
  const { siteUuid } = document.site
  for (const device of document.devices) device.gatewayUuid = gatewayUuid
  await store.inventory.apply(siteUuid, document, entry())
  const directory = createSiteDirectory(store.inventory)
  const model = (await directory.find(siteUuid)) ?? assert.fail()
  const [device] = [...model.devices.values()]
  assert.ok(device)
  const status = async (): Promise<string> =>
    deriveDeviceState(device, { ...(await loadSignals(store, model)), steps: new Map() }, NOON).status
  return { siteUuid, gatewayUuid, deviceUuid: device.record.deviceUuid, directory, status }
}

for (const backend of BACKENDS) {
  for (const { messages, expected } of ORDERS)
    test(`${backend.name}: ${messages.join(', then ')} is ${expected}, also when the second is processed first`, async (t) => {
      const store = await backend.open(t)
      const clock = createClock()
      const { siteUuid, gatewayUuid, deviceUuid, directory, status } = await addDevice(store)
      const secondIsDone = Promise.withResolvers<void>()
      let looks = 0
      const receive = createMessageRouter({
        handlers: {
          presence: handlePresence({
            siteDirectory: {
              ...directory,
              async find(uuid) {
                looks += 1
                if (looks === 1) await secondIsDone.promise
                return directory.find(uuid)
              },
            },
            gateways: store.gateways,
            presences: store.presences,
            onOnline() {},
          }),
        },
        rejections: { add: async (_message, { code }) => assert.fail(code) },
        clock,
        log: createLog('silent'),
        metrics: createMetrics(),
        signal: new AbortController().signal,
      })
      const deliver = (text: string): Promise<unknown> => {
        clock.at += 1
        const [who, word = ''] = text.split(' ')
        return receive({
          topic: toTopic('presence', siteUuid, who === 'gateway' ? gatewayUuid : deviceUuid),
          payload: Buffer.from(word),
          payloadBytes: word.length,
          isDuplicate: false,
          isRetainedCopy: false,
          gateway: undefined,
        })
      }
      const [first, second] = messages.map(deliver)
      await second
      secondIsDone.resolve()
      await first
      assert.equal(await status(), expected)
    })

  test(`${backend.name}: of messages within one millisecond offline wins, whichever sender it is from`, async (t) => {
    const store = await backend.open(t)
    const { siteUuid, gatewayUuid, deviceUuid, status } = await addDevice(store)
    for (const isGatewayOnline of [true, false]) {
      await store.presences.set(siteUuid, gatewayUuid, { isOnline: isGatewayOnline, at: NOON }, false)
      await store.presences.set(siteUuid, deviceUuid, { isOnline: !isGatewayOnline, at: NOON }, false)
      assert.equal(await status(), 'offline')
    }
  })
}
