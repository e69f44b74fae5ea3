import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { period } from '../support/fixtures/commands.ts'
import { degrees } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import type { ControlSite } from '../support/control/control-site.ts'
import { assertHeld, toInstant } from '../support/control/plan-oracle.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import type { JsonObject } from '../support/json.ts'

/** Zones whose clocks change by an hour, by half an hour, at midnight or never; and offsets of 30 and 45 minutes. */
const zones = [
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Africa/Cairo',
  'Asia/Kathmandu',
]
const start = Date.parse('2027-01-04T00:00:00Z')
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
/** Edges before, at, within and after the skipped or repeated time. */
const edges = [
  '00:00',
  '00:20',
  '00:50',
  '01:10',
  '01:30',
  '01:45',
  '02:00',
  '02:10',
  '02:40',
  '03:05',
  '03:35',
  '05:00',
]
const weekly: JsonObject = {
  type: 'weekly',
  default: degrees(10),
  periods: edges
    .slice(0, -1)
    .flatMap((from, index) =>
      index % 4 === 3 ? [] : [period(everyDay, from, edges[index + 1] ?? '', degrees(11 + index))],
    ),
}

const sites = new Map<string, ControlSite>()

const pathIn = (zone: string): string => `/devices/${sites.get(zone)?.house.trv}/schedule`
const minutes = (count: number): number => count * 60_000

/** Instants around a clock change: shortly before, at each edge of that night's plan, and after. */
function moments(zone: string, middle: number): number[] {
  const day = Temporal.Instant.fromEpochMilliseconds(middle).toZonedDateTimeISO(zone).toPlainDate()
  const near = [-120, -61, -31, -1, 1, 29, 31, 59, 61, 121].map((count) => middle + minutes(count))
  // Half a minute after an edge, because the clock advances while the request is in flight.
  return [...edges.map((edge) => toInstant(day, edge, zone) + minutes(0.5)), ...near]
}

function listChanges(zone: string): number[] {
  const changes: number[] = []
  let at = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone)
  for (let count = 0; count < 2; count += 1) {
    const change = at.getTimeZoneTransition('next')
    if (!change) break
    changes.push(change.epochMilliseconds)
    at = change
  }
  return changes.length === 0 ? [Date.parse('2027-03-28T01:00:00Z')] : changes
}

const nights = zones.flatMap((zone) => listChanges(zone).map((middle) => ({ zone, middle })))
const shown = new Map<(typeof nights)[number], { instant: number; schedule: JsonObject }[]>()

const control = await useControl({ at: start })
for (const timeZone of zones) {
  const house = makeSmallSite({ timeZone })
  for (const device of house.document.devices) {
    if (device['deviceUuid'] !== house.trv) continue
    const types = ['weekly', 'override', 'resume']
    const schedule = { types, minuteStep: 1, maxPeriodsPerDay: 20, execution: 'device' }
    device['capabilities'] = { schedule, setpoint: { min: 5, max: 30, step: 0.5, unit: 'degC' } }
  }
  const site = await control.addSite(house)
  const device = await site.device()
  await site.confirmed(weekly)
  await device.leave()
  sites.set(timeZone, site)
}
// A server's clock only moves forward, so the instants of all nights are visited in chronological order.
const visits = nights.flatMap((night) => moments(night.zone, night.middle).map((at) => ({ night, at })))
for (const { night, at } of visits.toSorted((a, b) => a.at - b.at)) {
  control.clock.moveTo(at)
  const answer = await (await sites.get(night.zone)?.client())?.send(pathIn(night.zone))
  const known = shown.get(night) ?? []
  shown.set(night, [...known, { instant: control.clock.now(), schedule: answer?.json ?? {} }])
}

describe('current and next target around clock changes', () => {
  for (const night of nights) {
    const { zone, middle } = night
    test(`in ${zone}, ${new Date(middle).toISOString()}`, () => {
      for (const { schedule, instant } of shown.get(night) ?? [])
        assertHeld(schedule, { zone, weekly }, instant)
      assert.ok((shown.get(night) ?? []).length > 20)
    })
  }
})
