import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { AppError } from '../../../../../src/kernel/errors.ts'
import { openMeteo } from '../../../../../src/domain/external/weather/open-meteo.ts'
import { createClock } from '../../../../support/clock.ts'
import {
  FAILURES,
  json,
  type Reply,
  STALL_MS,
  STALLS,
  startOutsideService,
} from '../../../../support/external-service.ts'

const LONDON = { latitude: 51.51431, longitude: -0.07284 }

const CURRENT = {
  time: '2026-11-15T11:45',
  interval: 900,
  temperature_2m: 9.4,
  relative_humidity_2m: 81,
  precipitation: 0.2,
  weather_code: 61,
  wind_speed_10m: 5.12,
}

/** As the service documents it. */
const forecast = (changes: Partial<Record<keyof typeof CURRENT, unknown>> = {}, units = {}): Reply =>
  json({
    latitude: 51.51,
    longitude: -0.07,
    generationtime_ms: 0.05,
    utc_offset_seconds: 0,
    timezone: 'GMT',
    timezone_abbreviation: 'GMT',
    elevation: 18,
    current_units: {
      time: 'iso8601',
      interval: 'seconds',
      temperature_2m: '°C',
      relative_humidity_2m: '%',
      precipitation: 'mm',
      weather_code: 'wmo code',
      wind_speed_10m: 'm/s',
      ...units,
    },
    current: { ...CURRENT, ...changes },
  })

async function bench(t: TestContext, reply: Reply, timeoutMs = 120_000) {
  const service = await startOutsideService(t, reply)
  const clock = createClock()
  const weather = openMeteo({ url: service.url, clock, timeoutMs, onFailure: () => {} })
  return { service, clock, weather }
}

/** It names the source, which is asked again after half a minute. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'unavailable' &&
  error.retryAfterSeconds === 30 &&
  /^The source of (weather) is not responding/.test(error.message)

describe('weather from Open-Meteo', () => {
  test('is read from the documented answer', async (t) => {
    const { weather } = await bench(t, forecast())
    assert.deepEqual(await weather.current(LONDON), {
      temperature: 9.4,
      humidity: 81,
      windSpeed: 5.12,
      precipitation: 0.2,
      condition: 'rain',
      observedAt: Date.UTC(2026, 10, 15, 11, 45),
      isSynthetic: false,
      isStale: false,
    })
  })

  test('is asked for in units of ours, at a place to the kilometre', async (t) => {
    const { service, weather } = await bench(t, forecast())
    await weather.current(LONDON)
    const { pathname, searchParams } = new URL(service.requests[0] ?? '', service.url)
    assert.equal(pathname, '/v1/forecast')
    assert.deepEqual(Object.fromEntries(searchParams), {
      latitude: '51.51',
      longitude: '-0.07',
      current: 'temperature_2m,relative_humidity_2m,precipitation,weather_code,wind_speed_10m',
      temperature_unit: 'celsius',
      wind_speed_unit: 'ms',
      precipitation_unit: 'mm',
      timezone: 'GMT',
    })
  })

  test('is asked for once in ten minutes, however many ask, and for each place', async (t) => {
    const { service, clock, weather } = await bench(t, forecast())
    const near = { latitude: LONDON.latitude - 0.001, longitude: LONDON.longitude }
    await Promise.all([weather.current(LONDON), weather.current(LONDON), weather.current(near)])
    clock.at += 599_999
    await weather.current(LONDON)
    assert.equal(service.requests.length, 1)
    await weather.current({ latitude: 53.79, longitude: -1.54 })
    assert.equal(service.requests.length, 2)
    clock.at += 1
    service.reply = forecast({ temperature_2m: 10 })
    assert.equal((await weather.current(LONDON)).temperature, 10)
  })

  test('is the last known one while the service is down', async (t) => {
    const { service, clock, weather } = await bench(t, forecast())
    const before = await weather.current(LONDON)
    clock.at += 3_600_000
    service.reply = json({ error: true, reason: 'down' }, 503)
    assert.deepEqual(await weather.current(LONDON), { ...before, isStale: true })
    clock.at += 60_000
    service.reply = forecast({ temperature_2m: 4 })
    const after = await weather.current(LONDON)
    assert.deepEqual([after.temperature, after.isStale], [4, false])
  })

  for (const [what, reply] of Object.entries({
    ...FAILURES,
    'an error 400': json({ error: true, reason: 'Latitude must be in range of -90 to 90°.' }, 400),
    'a missing figure': forecast({ temperature_2m: null }),
    'a figure as text': forecast({ relative_humidity_2m: '81' }),
    'a figure out of reach': forecast({ temperature_2m: 300 }),
    'an undocumented code': forecast({ weather_code: 42 }),
    'a code that is no number': forecast({ weather_code: 'constructor' }),
    'a time that is none': forecast({ time: '2026-13-45T99:99' }),
    'other units': forecast({}, { wind_speed_10m: 'km/h' }),
  })) {
    test(`${what} is 503 when nothing is known`, async (t) => {
      const { weather } = await bench(t, reply)
      await assert.rejects(weather.current(LONDON), isUnavailable)
    })
  }

  for (const [what, reply] of Object.entries(STALLS)) {
    test(`${what} in time is 503 when nothing is known`, async (t) => {
      const { weather } = await bench(t, reply, STALL_MS)
      await assert.rejects(weather.current(LONDON), isUnavailable)
    })
  }
})
