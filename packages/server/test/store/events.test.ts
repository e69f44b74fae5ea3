import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { NewEvent } from '../../src/domain/event/event.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { BACKENDS } from '../support/backends.ts'
import { NOON } from '../support/seed.ts'

const newEvent = (changes: Partial<NewEvent> = {}): NewEvent => ({
  eventUuid: newUuid(),
  type: 'device.online',
  at: NOON - 5,
  recordedAt: NOON,
  deviceUuid: newUuid(),
  spaceUuid: null,
  data: { name: 'Ünïcode "{,}\\ ’' },
  ...changes,
})

const WRITERS = 16
const EVENTS_PER_WRITER = 12

for (const backend of BACKENDS) {
  describe(`the event log on ${backend.name}`, () => {
    test('events are numbered from 1 in each site and come back as they were written', async (t) => {
      const { events } = await backend.open(t)
      const [site, other] = [newUuid(), newUuid()]
      const [first, second, third] = [newEvent(), newEvent({ spaceUuid: newUuid() }), newEvent()]
      await events.append(site, [first, second])
      await events.append(other, [newEvent()])
      await events.append(site, [])
      await events.append(site, [third])
      const expected = [first, second, third].map((event, index) => ({
        ...event,
        siteUuid: site,
        number: index + 1,
        data: JSON.stringify(event.data),
      }))
      assert.deepEqual(await events.list(site, 0, 10), expected)
      assert.deepEqual(await events.list(site, 1, 1), [expected[1]])
      assert.deepEqual(await events.list(site, 3, 10), [])
      assert.deepEqual(await events.find(site, second.eventUuid), expected[1])
      assert.equal(await events.find(other, second.eventUuid), undefined)
      assert.deepEqual(
        await events.heads([site, other, newUuid()]),
        new Map([
          [site, { lastNumber: 3, firstNumber: 1 }],
          [other, { lastNumber: 1, firstNumber: 1 }],
        ]),
      )
    })

    test('events are filtered by type, device and space', async (t) => {
      const { events } = await backend.open(t)
      const [site, deviceUuid, spaceUuid] = [newUuid(), newUuid(), newUuid()]
      await events.append(site, [
        newEvent({ deviceUuid, spaceUuid }),
        newEvent({ type: 'device.offline', deviceUuid }),
        newEvent({ type: 'inventory.changed', deviceUuid: null }),
        newEvent({ type: 'device.offline', spaceUuid }),
      ])
      const numbers = async (filter: Parameters<typeof events.list>[3]): Promise<number[]> =>
        (await events.list(site, 0, 10, filter)).map(({ number }) => number)
      assert.deepEqual(await numbers({ types: ['device.offline'] }), [2, 4])
      assert.deepEqual(await numbers({ types: ['device.online', 'inventory.changed'] }), [1, 3])
      assert.deepEqual(await numbers({ types: [] }), [])
      assert.deepEqual(await numbers({ deviceUuid }), [1, 2])
      assert.deepEqual(await numbers({ spaceUuid }), [1, 4])
      assert.deepEqual(await numbers({ deviceUuid, spaceUuid, types: ['device.offline'] }), [])
    })

    test('a reader that tails the log of concurrent writers misses no event and sees no gap', async (t) => {
      const store = await backend.open(t)
      const site = newUuid()
      const seen: string[] = []
      let after = 0
      const read = async (): Promise<void> => {
        for (const { number, eventUuid } of await store.events.list(site, after, 1_000)) {
          assert.equal(number, after + 1)
          after = number
          seen.push(eventUuid)
        }
      }
      const ended = new AbortController()
      const reading = (async () => {
        while (!ended.signal.aborted) {
          await read()
          await setImmediate()
        }
      })()
      const written = await Promise.all(
        Array.from({ length: WRITERS }, async () => {
          const uuids: string[] = []
          for (let count = 0; count < EVENTS_PER_WRITER; count += 1) {
            const events = Array.from({ length: 1 + (count % 3) }, () => newEvent())
            await store.events.append(site, events)
            uuids.push(...events.map(({ eventUuid }) => eventUuid))
          }
          return uuids
        }),
      )
      ended.abort()
      await reading
      await read()
      assert.deepEqual(seen.toSorted(), written.flat().toSorted())
    })

    test('retention removes the oldest events, and a head keeps its numbers', async (t) => {
      const { events } = await backend.open(t)
      const [site, other] = [newUuid(), newUuid()]
      const at = (recordedAt: number) => newEvent({ recordedAt })
      // The fourth was recorded by an instance whose clock is behind: it stays, because an older number does.
      await events.append(site, [at(1), at(2), at(11), at(3), at(12)])
      await events.append(other, [at(20)])
      assert.equal(await events.lastBefore(site, 11), 4)
      assert.equal(await events.lastBefore(site, 1), 0)
      assert.equal(await events.lastBefore(newUuid(), 100), 0)
      assert.equal(await events.removeBefore(10), 2)
      assert.equal(await events.removeBefore(10), 0)
      assert.deepEqual(
        (await events.list(site, 0, 10)).map(({ number }) => number),
        [3, 4, 5],
      )
      assert.equal(await events.lastBefore(site, 1), 2)
      assert.equal(await events.removeBefore(15), 3)
      assert.deepEqual(
        await events.heads([site, other]),
        new Map([
          [site, { lastNumber: 5, firstNumber: 6 }],
          [other, { lastNumber: 1, firstNumber: 1 }],
        ]),
      )
      assert.equal(await events.lastBefore(site, 100), 5)
      await events.append(site, [at(30)])
      assert.deepEqual(
        (await events.list(site, 0, 10)).map(({ number }) => number),
        [6],
      )
    })

    test('retention removes more events than fit into one transaction', async (t) => {
      const { events } = await backend.open(t)
      const site = newUuid()
      await events.append(
        site,
        Array.from({ length: 2_500 }, (_, recordedAt) => newEvent({ recordedAt })),
      )
      assert.equal(await events.removeBefore(2_400), 2_400)
      assert.deepEqual(
        await events.heads([site]),
        new Map([[site, { lastNumber: 2_500, firstNumber: 2_401 }]]),
      )
    })
  })
}
