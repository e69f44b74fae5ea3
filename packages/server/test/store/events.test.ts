import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'
import type { NewEvent } from '../../src/domain/event/event.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { appendEvents } from '../../src/store/postgres/events/event-rows.ts'
import type { Sql } from '../../src/store/postgres/pool/connect.ts'
import { BACKENDS } from '../support/backends.ts'
import { migratedDatabase } from '../support/postgres.ts'
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

/**
 * Two transactions add an event; the first commits last, and a reader reads in between. Returns the events that the
 * reader has seen at the end.
 */
async function tailAcross(
  sql: postgres.Sql,
  add: (sql: postgres.Sql, name: string) => Promise<unknown>,
  list: (after: number) => Promise<readonly { number: number; name: string }[]>,
  { isBlocked }: { isBlocked: boolean },
): Promise<string[]> {
  const seen: { number: number; name: string }[] = []
  const read = async (): Promise<void> => void seen.push(...(await list(seen.at(-1)?.number ?? 0)))
  const { promise: isFirstDone, resolve: finishFirst } = Promise.withResolvers<void>()
  const { promise: hasAdded, resolve: added } = Promise.withResolvers<void>()
  const first = sql.begin(async (transaction) => {
    await add(transaction as unknown as postgres.Sql, 'first')
    added()
    await isFirstDone
  })
  await hasAdded
  const second = sql.begin((transaction) => add(transaction as unknown as postgres.Sql, 'second'))
  // A writer that must wait for the first one would commit within this time if it did not.
  await (isBlocked ? delay(300) : second)
  await read()
  finishFirst()
  await Promise.all([first, second])
  await read()
  return seen.map(({ name }) => name)
}

describe('a transaction of PostgreSQL that commits later than one with a higher number', () => {
  test('cannot exist with the head of a site: the reader sees both events', async (t) => {
    const database = await migratedDatabase(t)
    const store = database.open()
    const site = newUuid()
    const seen = await tailAcross(
      database.connect(),
      (sql, name) => appendEvents(sql as unknown as Sql, site, [newEvent({ data: { name } })]),
      async (after) =>
        (await store.events.list(site, after, 10)).map(({ number, data }) => ({
          number,
          name: (JSON.parse(data) as { name: string }).name,
        })),
      { isBlocked: true },
    )
    assert.deepEqual(seen, ['first', 'second'])
  })

  test('hides its event from a reader of a sequence, so this test would notice', async (t) => {
    const sql = (await migratedDatabase(t)).connect()
    await sql`CREATE TABLE planted (number bigserial PRIMARY KEY, name text NOT NULL)`
    const seen = await tailAcross(
      sql,
      (transaction, name) => transaction`INSERT INTO planted (name) VALUES (${name})`,
      (after) =>
        sql<{ number: number; name: string }[]>`
          SELECT number::integer, name FROM planted WHERE number > ${after} ORDER BY number`,
      { isBlocked: false },
    )
    assert.deepEqual(seen, ['second'])
  })
})
