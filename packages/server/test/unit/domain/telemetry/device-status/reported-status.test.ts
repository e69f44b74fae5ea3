import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Device } from '../../../../../src/domain/estate/inventory/site-model.ts'
import {
  decideStatuses,
  dueAt,
  HOLD_MS,
  type ObservedStatus,
  type ReportedStatus,
} from '../../../../../src/domain/telemetry/device-status/reported-status.ts'
import {
  deriveDeviceState,
  type DeviceSignals,
  findOfflineReason,
} from '../../../../../src/domain/telemetry/device-status/status.ts'

const HISTORIES = 10_000
const MINUTE = 60_000
const START = Date.UTC(2026, 10, 15, 12)
const SERIES_ID = 1
const [DEVICE_UUID, GATEWAY_UUID] = ['device', 'gateway']

/** A message of a device or its gateway, with its time. */
const step = fc.tuple(
  fc.constantFrom('online', 'offline', 'gateway online', 'gateway offline', 'reading', 'nothing'),
  fc.oneof(fc.constantFrom(0, 1, HOLD_MS - 1, HOLD_MS), fc.nat(2 * MINUTE), fc.nat(5 * 60 * MINUTE)),
)

/** A device with its signals, as `GET /devices` derives its status from them. */
function createDevice(hasGateway: boolean) {
  const presences = new Map<string, { isOnline: boolean; at: number }>()
  const latest = new Map<number, { at: number; value: number }>()
  const signals: DeviceSignals = { presences, latest, steps: new Map() }
  // Only the fields from which the status is derived.
  const device = {
    record: { deviceUuid: DEVICE_UUID, gatewayUuid: hasGateway ? GATEWAY_UUID : null },
    series: { temperature: SERIES_ID },
  } as unknown as Device
  return {
    receive(what: string, at: number): void {
      const sender = what.startsWith('gateway') ? GATEWAY_UUID : DEVICE_UUID
      if (what === 'reading') latest.set(SERIES_ID, { at, value: 20 })
      else if (what !== 'nothing') presences.set(sender, { isOnline: what.endsWith('online'), at })
    },
    observe(now: number): ObservedStatus {
      const { status, offlineSince } = deriveDeviceState(device, signals, now)
      return {
        deviceUuid: DEVICE_UUID,
        deviceName: 'Valve',
        deviceType: 'valve',
        spaceUuid: 'space',
        spaceName: 'A1',
        gatewayUuid: hasGateway ? GATEWAY_UUID : null,
        status,
        offlineSince,
        reason: status === 'offline' ? findOfflineReason(device, signals) : null,
        battery: null,
      }
    },
  }
}

test('in any history, events report the status that GET /devices shows and that has held, at most two a minute', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), fc.boolean(), (steps, hasGateway) => {
      const device = createDevice(hasGateway)
      const stored = new Map<string, ReportedStatus>()
      const reported: { type: string; at: number }[] = []
      const watch = (now: number): void => {
        const { written, events } = decideStatuses(stored, [device.observe(now)], now, false)
        for (const [uuid, status] of written) stored.set(uuid, status)
        reported.push(...events.map(({ type }) => ({ type, at: now })))
      }
      let now = START
      watch(now)
      for (const [what, passedMs] of steps) {
        now += passedMs
        device.receive(what, now)
        watch(now)
      }
      // The watcher observes the device again when a status has lasted long enough.
      watch(now)
      watch(now + HOLD_MS)
      const { status } = device.observe(now + HOLD_MS)
      // A device that has just gone silent is reported later.
      fc.pre(status === device.observe(now).status)
      const last = reported.at(-1)?.type
      if (status !== 'unknown') assert.equal(stored.get(DEVICE_UUID)?.status, status)
      assert.equal(last, { online: 'device.online', offline: 'device.offline', unknown: undefined }[status])
      for (const [index, { type, at }] of reported.entries()) {
        const next = reported[index + 1]
        if (!next) break
        assert.notEqual(next.type, type)
        assert.ok(next.at - at >= HOLD_MS)
      }
    }),
    { numRuns: HISTORIES },
  )
})

test('a status that was interrupted without an observation is due when it has lasted long enough again', () => {
  const device = createDevice(false)
  device.receive('online', START)
  const stored = new Map<string, ReportedStatus>()
  const watch = (now: number): void => {
    for (const [uuid, status] of decideStatuses(stored, [device.observe(now)], now, true).written)
      stored.set(uuid, status)
  }
  watch(START)
  device.receive('offline', START + 1_000)
  watch(START + 1_000)
  device.receive('online', START + 20_000)
  device.receive('offline', START + 21_000)
  watch(START + 1_000 + HOLD_MS)
  const status = stored.get(DEVICE_UUID)
  assert.ok(status)
  assert.equal(dueAt(status), START + 21_000 + HOLD_MS)
})

test('the first observation of a site that is older than its log reports nothing', () => {
  const device = createDevice(false)
  device.receive('offline', START)
  const { written, events } = decideStatuses(new Map(), [device.observe(START)], START, true)
  assert.deepEqual(events, [])
  assert.deepEqual(written.get(DEVICE_UUID), {
    status: 'offline',
    since: START,
    pending: null,
    pendingSince: null,
    isBatteryLow: false,
  })
})

test('a status that was pending while the clock was ahead starts to hold anew', () => {
  const device = createDevice(false)
  device.receive('offline', START)
  const known: ReportedStatus = {
    status: 'online',
    since: START,
    pending: 'offline',
    pendingSince: START + 60 * MINUTE,
    isBatteryLow: null,
  }
  const { written } = decideStatuses(new Map([[DEVICE_UUID, known]]), [device.observe(START)], START, false)
  assert.equal(written.get(DEVICE_UUID)?.pendingSince, START)
})

test('the reason of an offline device is what took it offline', () => {
  const reasonOf = (...received: [string, number][]): unknown => {
    const device = createDevice(true)
    for (const [what, at] of received) device.receive(what, at)
    return device.observe(START + 6 * 60 * MINUTE).reason
  }
  assert.equal(reasonOf(['offline', START]), 'presence')
  assert.equal(reasonOf(['online', START], ['gateway offline', START + 1]), 'gateway')
  assert.equal(reasonOf(['offline', START], ['reading', START + 1]), 'silent')
  assert.equal(reasonOf(['reading', START]), 'silent')
  assert.equal(reasonOf(['online', START]), null)
})

describe('a low battery', () => {
  /** Observes a battery at each of some percentages; returns those that are reported. */
  const report = (known: ReportedStatus | undefined, percentages: (number | null)[], isFirst = false) => {
    let stored = new Map(known ? [[DEVICE_UUID, known]] : [])
    const device = createDevice(false).observe(START)
    return percentages.flatMap((percent, minute) => {
      const at = START + minute * MINUTE
      const battery = percent === null ? null : { percent, at }
      const { written, events } = decideStatuses(
        stored,
        [{ ...device, battery }],
        at,
        isFirst && minute === 0,
      )
      stored = new Map([...stored, ...written])
      return events.map(({ type, data }) => {
        assert.equal(type, 'device.battery_low')
        return (data as { percent: number }).percent
      })
    })
  }
  const KNOWN: ReportedStatus = {
    status: 'unknown',
    since: START,
    pending: null,
    pendingSince: null,
    isBatteryLow: false,
  }

  test('is reported below 15 %, and again only after it was above 25 %', () => {
    assert.deepEqual(report(KNOWN, [80, 15, 14.9, 14, 20, 25, 3, null, 26, 20, 12, 11]), [14.9, 12])
  })

  test('of a new device is reported immediately; what is older than the log or this event is not', () => {
    assert.deepEqual(report(undefined, [10, 9]), [10])
    assert.deepEqual(report(undefined, [10, 9], true), [])
    assert.deepEqual(report({ ...KNOWN, isBatteryLow: null }, [10, 9, 40, 8]), [8])
    assert.deepEqual(report({ ...KNOWN, isBatteryLow: null }, [null, 10, 9]), [10])
  })
})
