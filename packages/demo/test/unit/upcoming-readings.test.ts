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

describe('upcoming readings', () => {
  test('are those of the history, generated once for some days', async () => {
    const { made, comingReadings } = createFixture()
    for (let from = START; from < START + 5 * DAY_MS; from += DAY_MS / 2) {
      const span = { from, to: from + DAY_MS / 2 }
      assert.deepEqual(await comingReadings(span), [...demoHistory(other, span)])
    }
    assert.equal(made.length, 1)
  })

  test('are generated again when those days are over', async () => {
    const { made, comingReadings } = createFixture()
    await comingReadings({ from: START, to: START + HALF_HOUR_MS })
    const span = { from: START + 8 * DAY_MS, to: START + 8 * DAY_MS + HALF_HOUR_MS }
    assert.deepEqual(await comingReadings(span), [...demoHistory(other, span)])
    assert.equal(made.length, 2)
  })

  test('are not generated if no half hour begins in the span', async () => {
    const { made, comingReadings } = createFixture()
    assert.deepEqual(await comingReadings({ from: START, to: START + 5_000 }), [])
    assert.deepEqual(made, [])
  })

  test('are generated for a device that was away for long, and not buffered', async () => {
    const { made, comingReadings } = createFixture()
    const now = { from: START, to: START + HALF_HOUR_MS }
    await comingReadings(now)
    const long = { from: START - 20 * DAY_MS, to: START + HALF_HOUR_MS }
    assert.deepEqual(await comingReadings(long), [...demoHistory(other, long)])
    assert.deepEqual(await comingReadings(now), [...demoHistory(other, now)])
    assert.equal(made.length, 2)
  })
})
