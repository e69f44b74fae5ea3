import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { between, counted, DAY_MS, HALF_HOUR_MS, mean, findSeries } from './series.ts'
import { main } from './sites.ts'

const TERM = { from: Date.UTC(2026, 1, 10), to: Date.UTC(2026, 2, 10) }
const SUMMER = { from: Date.UTC(2026, 6, 10), to: Date.UTC(2026, 7, 20) }
const CHRISTMAS = { from: Date.UTC(2025, 11, 22), to: Date.UTC(2025, 11, 29) }

const perDay = (deviceName: string, metric: string, { from, to }: { from: number; to: number }): number =>
  counted(findSeries(deviceName, metric), from, to) / ((to - from) / DAY_MS)

const flats = main.spaces.flatMap(({ spaceType, clusterName }) =>
  spaceType === 'livingKitchenDining' && clusterName ? [clusterName] : [],
)
const studios = main.spaces.flatMap(({ spaceType, spaceName }) => (spaceType === 'studio' ? [spaceName] : []))

/** Mean use in each half hour of UTC over the days of a range. */
function profile(deviceName: string, from: number, to: number): number[] {
  const values = between(findSeries(deviceName, 'electricity'), from, to)
  return Array.from({ length: 48 }, (_, slot) =>
    mean(
      values.flatMap((value, index) =>
        index % 48 === slot && index + 1 < values.length ? [(values[index + 1] ?? 0) - value] : [],
      ),
    ),
  )
}

/** Centre of a flat's use between 16:00 and 22:00 UTC over two weeks, in half hours. */
function eveningPeak(from: number): number {
  const slots = profile('Flat W1A electricity', from, from + 14 * DAY_MS)
  const evening = slots.map((use, slot) => (slot >= 32 && slot < 44 ? use ** 2 : 0))
  return evening.reduce((sum, use, slot) => sum + use * slot, 0) / evening.reduce((a, b) => a + b)
}

describe('electricity', () => {
  test('a flat uses 12 to 25 kWh a day in term, and little in summer and over Christmas', () => {
    for (const flat of flats) {
      const inTerm = perDay(`${flat} electricity`, 'electricity', TERM)
      assert.ok(inTerm > 12 && inTerm < 25, `${flat}: ${inTerm}`)
      assert.ok(perDay(`${flat} electricity`, 'electricity', SUMMER) < 0.5 * inTerm, flat)
      assert.ok(perDay(`${flat} electricity`, 'electricity', CHRISTMAS) < 0.75 * inTerm, flat)
    }
  })

  test('nearly every studio uses 3 to 7 kWh a day in term', () => {
    const uses = studios.map((studio) => perDay(`${studio} electricity`, 'electricity', TERM))
    assert.ok(uses.filter((use) => use > 3 && use < 7).length >= studios.length - 3, uses.join())
  })

  test('the evening peak stays at the same local time when the clocks change', () => {
    const summerTime = eveningPeak(Date.UTC(2026, 9, 10))
    const winterTime = eveningPeak(Date.UTC(2026, 9, 26))
    assert.ok(winterTime - summerTime > 0.8, `${summerTime} ${winterTime}`)
  })

  test('evenings use more than nights', () => {
    const slots = profile('Flat W2A electricity', TERM.from, TERM.to)
    assert.ok(mean(slots.slice(36, 41)) > 3 * mean(slots.slice(4, 12)))
  })
})

test('heat follows the weather', () => {
  const winter = perDay('Flat W1A heat', 'heating', TERM)
  assert.ok(winter > 15 && winter < 60, `${winter}`)
  assert.ok(perDay('Flat W1A heat', 'heating', SUMMER) < 0.1)
})

test('an occupied bedroom is at 18 to 22 degrees in winter, and cooler when empty', () => {
  const valves = main.devices.filter(
    ({ deviceName }) => /^W\d[AB]-\d radiator valve$/.test(deviceName) && !/^W[23]A-5/.test(deviceName),
  )
  const winter = valves.map(({ deviceName }) =>
    mean(between(findSeries(deviceName, 'temperature'), TERM.from, TERM.to)),
  )
  assert.ok(
    winter.filter((degrees) => degrees > 18 && degrees < 22.2).length >= winter.length - 2,
    winter.join(),
  )
  const empty = valves.map(({ deviceName }) =>
    mean(between(findSeries(deviceName, 'temperature'), CHRISTMAS.from, CHRISTMAS.to)),
  )
  assert.ok(mean(empty) < mean(winter) - 1.5)
})

test('carbon dioxide rises with occupancy', () => {
  const people = between(findSeries('W1A Kitchen sensor', 'occupancy'), TERM.from, TERM.to)
  const co2 = between(findSeries('W1A Kitchen sensor', 'co2'), TERM.from, TERM.to)
  const crowded = co2.filter((_, index) => (people[index] ?? 0) >= 3)
  const quiet = co2.filter((_, index) =>
    people.slice(Math.max(0, index - 4), index + 1).every((n) => n === 0),
  )
  assert.ok(mean(crowded) > mean(quiet) + 150)
  assert.ok(Math.min(...co2) > 390 && Math.max(...co2) < 2500)
})

test('there is sunshine by day, and longer in summer', () => {
  const solar = findSeries('Roof solar', 'solar')
  const midnight = Date.UTC(2026, 5, 21)
  assert.equal(counted(solar, midnight, midnight + 5 * HALF_HOUR_MS), 0)
  assert.ok(counted(solar, midnight + 20 * HALF_HOUR_MS, midnight + 28 * HALF_HOUR_MS) > 10)
  assert.ok(perDay('Roof solar', 'solar', SUMMER) > 3 * perDay('Roof solar', 'solar', CHRISTMAS))
})

test('most hot water is drawn in the morning', () => {
  const values = between(findSeries('Flat W1A hot water', 'hotwater'), TERM.from, TERM.to)
  let [morning, all] = [0, 0]
  for (let index = 0; index + 1 < values.length; index += 1) {
    const drawn = (values[index + 1] ?? 0) - (values[index] ?? 0)
    all += drawn
    if (index % 48 >= 13 && index % 48 < 24) morning += drawn
  }
  assert.ok(morning > 0.5 * all, `${morning} of ${all}`)
})
