import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { demoHistory } from '../../src/content/index.ts'
import { createLiveReadings } from '../../src/simulator/live-readings.ts'
import { other } from './sites.ts'

const HALF_HOUR_MS = 1_800_000
const START = Date.UTC(2026, 10, 15, 12, 10)
const away = other.devices.find(({ deviceType }) => deviceType === 'gasMeter')?.deviceUuid ?? ''

function createFixture() {
  const readings = createLiveReadings(other, START, async (span) => [...demoHistory(other, span)])
  const round = async (now: number, isAway: boolean) => {
    const published = new Map<string, string[]>()
    await readings.send(
      now,
      async (topic, payload) => {
        const list = JSON.parse(payload) as { readings: { timestamp: string }[] }
        published.set(
          topic.split('/')[3] ?? '',
          list.readings.map(({ timestamp }) => timestamp.slice(11, 16)),
        )
      },
      (deviceUuid) => isAway && deviceUuid === away,
    )
    return published
  }
  return { readings, round }
}

describe('the readings of a simulated device', () => {
  test('are sent once, every half hour', async () => {
    const { round } = createFixture()
    assert.equal((await round(START + 60_000, false)).size, 0)
    assert.deepEqual((await round(START + HALF_HOUR_MS, false)).get(away), ['12:30'])
    assert.equal((await round(START + HALF_HOUR_MS + 60_000, false)).size, 0)
  })

  test('are buffered while it is offline, and sent when it is back', async () => {
    const { round } = createFixture()
    const first = await round(START + HALF_HOUR_MS, true)
    assert.ok(first.size > 10 && !first.has(away))
    assert.equal((await round(START + 2 * HALF_HOUR_MS, true)).has(away), false)
    const back = await round(START + 2 * HALF_HOUR_MS + 60_000, false)
    assert.deepEqual([...back], [[away, ['12:30', '13:00']]])
    assert.equal((await round(START + 2 * HALF_HOUR_MS + 120_000, false)).size, 0)
  })

  test('are sent again if one of them was not acknowledged', async () => {
    const { readings, round } = createFixture()
    const lost = async (): Promise<void> => {
      throw new Error('the connection was lost')
    }
    await assert.rejects(readings.send(START + HALF_HOUR_MS, lost, () => false))
    assert.deepEqual((await round(START + HALF_HOUR_MS, false)).get(away), ['12:30'])
  })
})
