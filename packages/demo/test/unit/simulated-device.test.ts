import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findMisbehaving } from '../../src/content/index.ts'
import { nameUuid } from '../../src/content/name-uuid.ts'
import type { ReceivedCommand } from '../../src/simulator/command-message.ts'
import {
  type DeviceReply,
  createSimulatedDevice,
  type SimulatedDevice,
} from '../../src/simulator/simulated-device.ts'
import type { SimulatedMode } from '@portico/server/domain/control/simulation/sandbox'
import { main } from './sites.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const MINUTE_MS = 60_000
const commandUuids = Array.from({ length: 200 }, (_, index) => nameUuid(`command ${index}`))
const [first = '', second = ''] = commandUuids

const valve = (more: { deviceUuid?: string; trouble?: 'awayAtTimes' | 'rejectsAtTimes' } = {}) =>
  createSimulatedDevice({ deviceUuid: nameUuid('valve'), deviceType: 'trv', trouble: undefined, ...more })
const command = (commandUuid = first, expiresAt = NOW + 1000): ReceivedCommand => ({
  kind: 'command',
  commandUuid,
  expiresAt,
})
const cancel = (commandUuid = first): ReceivedCommand => ({ kind: 'cancel', commandUuid })
const choose = (device: SimulatedDevice, mode: Exclude<SimulatedMode, 'delay'>): void =>
  device.simulate({ mode, delaySeconds: null })
const statuses = (replies: readonly DeviceReply[]): string[] => replies.map(({ status }) => status)
/** Statuses without the repetition that some commands get. */
const outcome = (replies: readonly DeviceReply[]): string[] => [...new Set(statuses(replies))]

describe('a device that is online', () => {
  test('reports delivered and then confirmed, each after some hundred milliseconds', () => {
    for (const commandUuid of commandUuids) {
      const replies = valve().repliesTo(command(commandUuid), NOW)
      assert.deepEqual(outcome(replies), ['delivered', 'confirmed'])
      for (const { afterMs } of replies) assert.ok(afterMs >= 80 && afterMs <= 600, `${afterMs}`)
    }
  })

  test('has its own delays', () => {
    const delays = commandUuids.map((deviceUuid) => {
      const replies = valve({ deviceUuid }).repliesTo(command(), NOW)
      return replies
        .slice(0, 2)
        .map(({ afterMs }) => afterMs)
        .join()
    })
    assert.ok(new Set(delays).size > 150)
  })

  test('reports confirmed mostly once, and occasionally twice', () => {
    const twice = commandUuids.filter((uuid) => valve().repliesTo(command(uuid), NOW).length === 3)
    assert.ok(twice.length > 10 && twice.length < 80, `${twice.length}`)
    assert.deepEqual(statuses(valve().repliesTo(command(twice[0]), NOW)), [
      'delivered',
      'confirmed',
      'confirmed',
    ])
  })

  test('responds to a repetition as it did the first time, whatever its mode is now', () => {
    const device = valve()
    const replies = device.repliesTo(command(), NOW)
    assert.deepEqual(device.repliesTo(command(), NOW + 10), replies)
    choose(device, 'reject')
    assert.deepEqual(outcome(device.repliesTo(command(), NOW + 20)), ['delivered', 'confirmed'])
    assert.deepEqual(outcome(device.repliesTo(command(second), NOW + 20)), ['delivered', 'rejected'])
    choose(device, 'online')
    assert.deepEqual(outcome(device.repliesTo(command(second), NOW + 30)), ['delivered', 'rejected'])
  })

  test('ignores a command that has expired', () => {
    assert.deepEqual(valve().repliesTo(command(first, NOW), NOW), [])
    assert.deepEqual(valve().repliesTo(command(first, NOW - 1), NOW), [])
    assert.equal(outcome(valve().repliesTo(command(first, NOW + 1), NOW)).length, 2)
  })

  test('drops a cancelled command without a response, and does not resume it', () => {
    const device = valve()
    device.repliesTo(command(), NOW)
    assert.deepEqual(device.repliesTo(cancel(), NOW), [])
    assert.deepEqual(device.repliesTo(command(), NOW), [])
    assert.deepEqual(device.repliesTo(cancel(second), NOW), [])
    assert.deepEqual(device.repliesTo(command(second), NOW), [])
  })
})

describe('the chosen mode', () => {
  test('offline: receives nothing, and stores nothing', () => {
    const device = valve()
    assert.equal(device.isOffline(NOW), false)
    choose(device, 'offline')
    assert.equal(device.isOffline(NOW), true)
    assert.deepEqual(device.repliesTo(command(), NOW), [])
    assert.deepEqual(device.repliesTo(cancel(), NOW), [])
    choose(device, 'online')
    assert.equal(device.isOffline(NOW), false)
    assert.deepEqual(outcome(device.repliesTo(command(), NOW)), ['delivered', 'confirmed'])
  })

  test('reject: delivered, then rejected with a reason', () => {
    const device = valve()
    choose(device, 'reject')
    const [delivered, rejected, ...more] = device.repliesTo(command(), NOW)
    assert.deepEqual([delivered?.status, rejected?.status, more], ['delivered', 'rejected', []])
    assert.equal(rejected?.reason, 'the valve is stuck')
    assert.equal(delivered?.reason, undefined)
  })

  test('delay: waits before delivered, and a moment before confirmed', () => {
    const device = valve()
    device.simulate({ mode: 'delay', delaySeconds: 3600 })
    const [delivered, confirmed] = device.repliesTo(command(), NOW)
    assert.deepEqual([delivered?.status, delivered?.afterMs], ['delivered', 3_600_000])
    assert.ok(confirmed?.status === 'confirmed' && confirmed.afterMs < 1000)
  })
})

describe('a device in trouble', () => {
  const minutes = Array.from({ length: 180 }, (_, index) => NOW + index * MINUTE_MS)

  test('one is away for ten consecutive minutes of every hour, until its mode is set', () => {
    const device = valve({ trouble: 'awayAtTimes' })
    const away = minutes.filter((at) => device.isOffline(at))
    assert.equal(away.length, 30)
    const [start = 0] = away
    for (let index = 0; index < 10; index += 1) assert.ok(device.isOffline(start + index * MINUTE_MS))
    assert.deepEqual(device.repliesTo(command(first, start + 1000), start), [])
    choose(device, 'online')
    assert.ok(minutes.every((at) => !device.isOffline(at)))
  })

  test('one rejects occasionally, and always gives the same response to a command', () => {
    const rejects = (device: SimulatedDevice, uuid: string): boolean =>
      outcome(device.repliesTo(command(uuid), NOW)).includes('rejected')
    const device = valve({ trouble: 'rejectsAtTimes' })
    const rejected = commandUuids.filter((uuid) => rejects(device, uuid))
    assert.ok(rejected.length > 30 && rejected.length < 100, `${rejected.length}`)
    const restarted = valve({ trouble: 'rejectsAtTimes' })
    assert.deepEqual(
      commandUuids.filter((uuid) => rejects(restarted, uuid)),
      rejected,
    )
    const chosen = valve({ trouble: 'rejectsAtTimes' })
    choose(chosen, 'online')
    assert.ok(commandUuids.every((uuid) => !rejects(chosen, uuid)))
  })

  test('they are the last three that accept commands, and their names describe their behaviour', () => {
    const names = main.devices
      .filter(({ capabilities }) => capabilities?.schedule)
      .toSorted((a, b) => (a.deviceName < b.deviceName ? -1 : 1))
    const last = names.slice(-3)
    assert.deepEqual(
      last.map(({ deviceUuid }) => findMisbehaving(main).get(deviceUuid)),
      ['rejects', 'awayAtTimes', 'rejectsAtTimes'],
    )
    assert.equal(findMisbehaving(main).size, 3)
    assert.match(last[0]?.deviceName ?? '', /rejects commands/)
    assert.match(last[1]?.deviceName ?? '', /offline/)
    assert.match(last[2]?.deviceName ?? '', /rejects at times/)
  })
})
