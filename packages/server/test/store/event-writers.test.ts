import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EventRecord } from '../../src/domain/event/event.ts'
import { describeCommand } from '../../src/domain/control/command/command-event.ts'
import { HOLD_MS, type ObservedStatus } from '../../src/domain/telemetry/device-status/reported-status.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import {
  addCommand,
  apply,
  DAY,
  getCommand,
  makeAttempt,
  MINUTE,
  newCommand,
  newDeviceRef,
  OVERRIDE,
} from '../support/commands.ts'
import { makeSmallSite, GAUGE } from '../support/small-site.ts'
import { entry, NOON } from '../support/seed.ts'

const listEvents = (store: Store, siteUuid: string): Promise<EventRecord[]> =>
  store.events.list(siteUuid, 0, 1_000)

const parse = ({ data }: EventRecord): Record<string, unknown> => JSON.parse(data) as Record<string, unknown>

/** Previous and new state of each command event, oldest first. */
const listChanges = async (store: Store, siteUuid: string): Promise<[unknown, unknown][]> =>
  (await listEvents(store, siteUuid)).map((event) => {
    const { previousState, command } = parse(event)
    return [previousState, (command as { state: unknown }).state]
  })

for (const backend of BACKENDS) {
  describe(`events of commands on ${backend.name}`, () => {
    test('each state of a command is an event, in the transaction of the change', async (t) => {
      const store = await backend.open(t)
      const device = newDeviceRef()
      const command = await addCommand(store, device)
      await store.outbox.claim(NOON, NOON + MINUTE, 10)
      await store.outbox.recordAttempts([makeAttempt(command, 'sent')], NOON + 1)
      await apply(store, command, 'device-delivered', NOON + 2)
      await apply(store, command, 'device-confirmed', NOON + 3)
      await apply(store, command, 'device-rejected', NOON + 4)
      const events = await listEvents(store, device.siteUuid)
      assert.deepEqual(await listChanges(store, device.siteUuid), [
        [null, 'PENDING'],
        ['PENDING', 'SENT'],
        ['SENT', 'DELIVERED'],
        ['DELIVERED', 'CONFIRMED'],
      ])
      assert.deepEqual(
        events.map(({ type, deviceUuid, at }) => [type, deviceUuid, at]),
        [0, 1, 2, 3].map((ms) => ['command.updated', device.deviceUuid, NOON + ms]),
      )
      for (const { eventUuid } of events)
        assert.match(eventUuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
      const [last] = events.slice(-1)
      assert.deepEqual(last && parse(last)['command'], describeCommand(await getCommand(store, command)))
    })

    test('a superseded, a cancelled and an expired command are events; a rejected request is none', async (t) => {
      const store = await backend.open(t)
      const device = newDeviceRef()
      const key = { partnerUuid: newUuid(), key: 'one', digest: Uint8Array.of(1) }
      await addCommand(store, device, { schedule: OVERRIDE }, { key })
      const second = await addCommand(store, device, { schedule: OVERRIDE, createdAt: NOON + 1 })
      const reused = newCommand(device, {}, { key: { ...key, digest: Uint8Array.of(2) } })
      assert.equal((await store.commands.add(device.siteUuid, reused)).outcome, 'key-reused')
      await apply(store, second, 'cancelled', NOON + 2)
      await addCommand(store, device, { createdAt: NOON + 3 })
      await store.commands.expireOverdue(NOON + 2 * DAY)
      assert.deepEqual(await listChanges(store, device.siteUuid), [
        [null, 'PENDING'],
        ['PENDING', 'CANCELLED'],
        [null, 'PENDING'],
        ['PENDING', 'CANCELLED'],
        [null, 'PENDING'],
        ['PENDING', 'EXPIRED'],
      ])
    })

    test('commands of many devices at a time are numbered without gaps', async (t) => {
      const store = await backend.open(t)
      const siteUuid = newUuid()
      await Promise.all(
        Array.from({ length: 12 }, async () => {
          const command = await addCommand(store, newDeviceRef(siteUuid))
          await apply(store, command, 'device-delivered', NOON + 1)
          await apply(store, command, 'device-confirmed', NOON + 2)
        }),
      )
      const events = await listEvents(store, siteUuid)
      assert.deepEqual(
        events.map(({ number }) => number),
        Array.from({ length: 36 }, (_, index) => index + 1),
      )
      for (const { deviceUuid } of events)
        assert.deepEqual(
          events
            .filter((event) => event.deviceUuid === deviceUuid)
            .map((event) => (parse(event)['command'] as { state: string }).state),
          ['PENDING', 'DELIVERED', 'CONFIRMED'],
        )
    })
  })

  describe(`events of the inventory on ${backend.name}`, () => {
    test('a document that changes something is an event, and its commands name the space', async (t) => {
      const store = await backend.open(t)
      const document = makeSmallSite('Europe/London', 2, [{ space: 0, metrics: { temperature: GAUGE } }])
      const { siteUuid } = document.site
      const [first, second] = document.spaces
      const [device] = document.devices
      assert.ok(first && second && device)
      const applyDocument = (changed: typeof document) => store.inventory.apply(siteUuid, changed, entry())
      await applyDocument(document)
      await applyDocument(document)
      await applyDocument({ ...document, devices: [{ ...device, spaceUuid: second.spaceUuid }] })
      const { deviceUuid } = device
      await addCommand(store, { siteUuid, deviceUuid })
      const [created, moved, commanded, ...others] = await listEvents(store, siteUuid)
      assert.ok(created && moved && commanded)
      assert.deepEqual(others, [])
      assert.deepEqual([created.type, created.deviceUuid, created.at], ['inventory.changed', null, NOON])
      assert.deepEqual(parse(moved), {
        created: 0,
        updated: 1,
        archived: 0,
        version: Number(parse(created)['version']) + 1,
        spaceUuids: [],
        deviceUuids: [deviceUuid],
        isComplete: true,
      })
      assert.deepEqual(parse(created)['spaceUuids'], [first.spaceUuid, second.spaceUuid])
      assert.equal(commanded.spaceUuid, second.spaceUuid)
    })

    test('an event lists at most 100 spaces', async (t) => {
      const store = await backend.open(t)
      const document = makeSmallSite('Europe/London', 101, [])
      await store.inventory.apply(document.site.siteUuid, document, entry())
      const [event] = await listEvents(store, document.site.siteUuid)
      assert.ok(event)
      const { spaceUuids, isComplete } = parse(event)
      assert.deepEqual([(spaceUuids as unknown[]).length, isComplete], [100, false])
    })
  })

  describe(`reported statuses on ${backend.name}`, () => {
    const observe = (deviceUuid: string, status: ObservedStatus['status']): ObservedStatus => ({
      deviceUuid,
      deviceName: 'Valve',
      deviceType: 'valve',
      spaceUuid: deviceUuid,
      spaceName: 'A1',
      gatewayUuid: null,
      status,
      offlineSince: status === 'offline' ? NOON : null,
      reason: status === 'offline' ? 'presence' : null,
      battery: { percent: 50, at: NOON },
    })

    test('a status that has held is stored with its event, once, however many observe it', async (t) => {
      const { deviceStatuses, events } = await backend.open(t)
      const [site, device, other] = [newUuid(), newUuid(), newUuid()]
      const update = (status: ObservedStatus['status'], now: number, isFirst = false) =>
        deviceStatuses.update(
          site,
          { observed: [observe(device, status), observe(other, 'online')], removed: [], isFirst },
          now,
        )
      await update('online', NOON, true)
      await update('offline', NOON)
      assert.deepEqual((await deviceStatuses.list(site)).get(device), {
        status: 'online',
        since: NOON,
        pending: 'offline',
        pendingSince: NOON,
        isBatteryLow: false,
      })
      await update('offline', NOON + HOLD_MS - 1)
      assert.deepEqual(await events.list(site, 0, 10), [])
      await Promise.all(Array.from({ length: 5 }, () => update('offline', NOON + HOLD_MS)))
      assert.deepEqual((await deviceStatuses.list(site)).get(device), {
        status: 'offline',
        since: NOON,
        pending: null,
        pendingSince: null,
        isBatteryLow: false,
      })
      const [event, ...rest] = await events.list(site, 0, 10)
      assert.deepEqual(rest, [])
      assert.deepEqual(
        [event?.type, event?.deviceUuid, event?.spaceUuid, event?.at, event?.recordedAt],
        ['device.offline', device, device, NOON, NOON + HOLD_MS],
      )
      assert.deepEqual(event && parse(event), {
        deviceName: 'Valve',
        deviceType: 'valve',
        spaceName: 'A1',
        status: 'offline',
        since: new Date(NOON).toISOString(),
        reason: 'presence',
        gatewayUuid: null,
      })
      const battery = { percent: 9.5, at: NOON + 1 }
      await Promise.all(
        Array.from({ length: 5 }, () =>
          deviceStatuses.update(
            site,
            { observed: [{ ...observe(device, 'offline'), battery }], removed: [], isFirst: false },
            NOON + HOLD_MS + 1,
          ),
        ),
      )
      assert.equal((await deviceStatuses.list(site)).get(device)?.isBatteryLow, true)
      const low = await events.list(site, 1, 10)
      assert.deepEqual(
        low.map(({ type, deviceUuid, at }) => [type, deviceUuid, at]),
        [['device.battery_low', device, NOON + 1]],
      )
      assert.equal(low[0] && parse(low[0])['percent'], 9.5)
      await deviceStatuses.update(site, { observed: [], removed: [device], isFirst: false }, NOON)
      assert.deepEqual([...(await deviceStatuses.list(site)).keys()], [other])
    })
  })
}
