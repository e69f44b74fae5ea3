import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { demoHistory } from '../../src/content/index.ts'
import { createUpcomingReadings } from '../../src/simulator/upcoming-readings.ts'
import type { TimeSpan } from '@portico/server/calendar/interval'
import { DAY_MS, HALF_HOUR_MS } from './series.ts'
import { other } from './sites.ts'

const START = Date.UTC(2026, 10, 15, 12, 10)

function createFixture() {
  const made: TimeSpan[] = []
  const comingReadings = createUpcomingReadings(async (span) => {
    made.push(span)
    return [...demoHistory(other, span)]
  })
  return { made, comingReadings }
}

describe('the readings that are to come', () => {
  test('are those of the history, made once for some days', async () => {
    const { made, comingReadings } = createFixture()
    for (let from = START; from < START + 5 * DAY_MS; from += DAY_MS / 2) {
      const span = { from, to: from + DAY_MS / 2 }
      assert.deepEqual(await comingReadings(span), [...demoHistory(other, span)])
    }
    assert.equal(made.length, 1)
  })

  test('are made again when those days are over', async () => {
    const { made, comingReadings } = createFixture()
    await comingReadings({ from: START, to: START + HALF_HOUR_MS })
    const span = { from: START + 8 * DAY_MS, to: START + 8 * DAY_MS + HALF_HOUR_MS }
    assert.deepEqual(await comingReadings(span), [...demoHistory(other, span)])
    assert.equal(made.length, 2)
  })

  test('are not made where no half hour begins', async () => {
    const { made, comingReadings } = createFixture()
    assert.deepEqual(await comingReadings({ from: START, to: START + 5_000 }), [])
    assert.deepEqual(made, [])
  })

  test('are made for who was away for long, and not kept', async () => {
    const { made, comingReadings } = createFixture()
    const now = { from: START, to: START + HALF_HOUR_MS }
    await comingReadings(now)
    const long = { from: START - 20 * DAY_MS, to: START + HALF_HOUR_MS }
    assert.deepEqual(await comingReadings(long), [...demoHistory(other, long)])
    assert.deepEqual(await comingReadings(now), [...demoHistory(other, now)])
    assert.equal(made.length, 2)
  })
})
