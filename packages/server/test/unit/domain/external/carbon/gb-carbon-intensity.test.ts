import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { gbCarbonIntensity } from '../../../../../src/domain/external/carbon/gb-carbon-intensity.ts'
import { syntheticIntensity } from '../../../../../src/domain/external/carbon/synthetic.ts'
import { AppError } from '../../../../../src/kernel/errors.ts'
import { createClock } from '../../../../support/clock.ts'
import { startGbService } from '../../../../support/gb-service.ts'
import { FAILURES, json, STALL_MS, STALLS } from '../../../../support/external-service.ts'

const HALF_HOUR = 1_800_000
const DAY = 48 * HALF_HOUR
const NOON = Date.UTC(2026, 10, 15, 12)
const MIDNIGHT = NOON - DAY / 2

const BRITAIN = { postcode: null, latitude: 52.5, longitude: -1.9 }
const LONDON = { postcode: 'E1 6AN', latitude: 51.51, longitude: -0.07 }
const BERLIN = { postcode: '10115', latitude: 52.53, longitude: 13.38 }

async function bench(t: TestContext, timeoutMs = 120_000) {
  const service = await startGbService(t, NOON)
  const clock = createClock(NOON)
  const carbon = gbCarbonIntensity({ url: service.url, clock, timeoutMs, onFailure: () => {} })
  const move = (ms: number): void => {
    clock.at += ms
    service.now += ms
  }
  return { service, clock, carbon, move }
}

/** The error names the source, which is queried again after half a minute. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'unavailable' &&
  error.retryAfterSeconds === 30 &&
  /^The source of (carbon intensity|the generation mix) is not responding/.test(error.message)

describe('carbon intensity of Great Britain', () => {
  test('is measured for the past and a forecast for the future, a day each way', async (t) => {
    const { service, carbon } = await bench(t)
    service.grams = (from) => (from - MIDNIGHT) / HALF_HOUR + 100
    const all = await carbon.intensity(BRITAIN, NOON - DAY, NOON + DAY)
    assert.equal(all.length, 96)
    assert.deepEqual(all[47], {
      from: NOON - HALF_HOUR,
      to: NOON,
      gramsPerKwh: 123,
      index: 'moderate',
      isForecast: false,
      isSynthetic: false,
      isStale: false,
    })
    assert.deepEqual([all[48]?.gramsPerKwh, all[48]?.isForecast], [129, true])
    assert.deepEqual(service.requests, ['/intensity/2026-11-14T00:00Z/2026-11-17T00:00Z'])
  })

  test('is that of the region if there is a postcode, requested by its outward part', async (t) => {
    const { service, carbon } = await bench(t)
    const [now] = await carbon.intensity(LONDON, NOON, NOON + 1)
    assert.deepEqual([now?.from, now?.gramsPerKwh, now?.index], [NOON, 300, 'high'])
    assert.deepEqual(service.requests, [
      '/regional/intensity/2026-11-15T00:00Z/2026-11-16T00:00Z/postcode/E1',
    ])
  })

  test('is that of the whole grid if the service does not know the postcode', async (t) => {
    const { service, carbon } = await bench(t)
    const place = { ...LONDON, postcode: 'ZZ9' }
    assert.equal((await carbon.intensity(place, NOON, NOON + 1))[0]?.gramsPerKwh, 205)
    await carbon.intensity(place, NOON - 5 * DAY, NOON - 4 * DAY)
    assert.equal(service.requests.filter((path) => path.includes('postcode')).length, 1)
  })

  test('is synthetic, and marked, outside this grid, without a request', async (t) => {
    const { service, carbon } = await bench(t)
    const [now] = await carbon.intensity(BERLIN, NOON, NOON + 1)
    assert.deepEqual([now?.gramsPerKwh, now?.isSynthetic], [syntheticIntensity(NOON), true])
    assert.equal((await carbon.mix(BERLIN, NOON)).isSynthetic, true)
    assert.equal(
      (await carbon.forEmissions(BERLIN, MIDNIGHT, NOON)).gramsAt(MIDNIGHT),
      syntheticIntensity(MIDNIGHT),
    )
    assert.deepEqual(service.requests, [])
  })

  test('of today is requested again after five minutes, of a past day never', async (t) => {
    const { service, carbon, move } = await bench(t)
    await carbon.intensity(BRITAIN, NOON - DAY, NOON)
    move(299_999)
    await carbon.intensity(BRITAIN, NOON - DAY, NOON)
    assert.equal(service.requests.length, 1)
    move(1)
    await carbon.intensity(BRITAIN, NOON - DAY, NOON)
    assert.equal(service.requests[1], '/intensity/2026-11-15T00:00Z/2026-11-16T00:00Z')
    move(100 * DAY)
    await carbon.intensity(BRITAIN, NOON - DAY, MIDNIGHT)
    assert.equal(service.requests.length, 2)
  })

  test('is requested once for concurrent callers', async (t) => {
    const { service, carbon } = await bench(t)
    await Promise.all([
      carbon.intensity(BRITAIN, NOON, NOON + 1),
      carbon.forEmissions(BRITAIN, NOON - 3 * DAY, NOON),
      carbon.intensity(BRITAIN, NOON, NOON + 1),
    ])
    assert.deepEqual(service.requests.toSorted(), [
      '/intensity/2026-11-12T00:00Z/2026-11-15T00:00Z',
      '/intensity/2026-11-15T00:00Z/2026-11-16T00:00Z',
    ])
  })

  test('is the last known one while the service is down; measured values stay valid', async (t) => {
    const { service, carbon, move } = await bench(t)
    await carbon.intensity(BRITAIN, MIDNIGHT, NOON + DAY / 4)
    move(600_000)
    service.reply = json({}, 500)
    const all = await carbon.intensity(BRITAIN, MIDNIGHT, NOON + DAY / 4)
    assert.equal(all.length, 36)
    assert.deepEqual(
      all.map(({ isStale }) => isStale),
      all.map(({ isForecast }) => isForecast),
    )
    assert.ok(all.some(({ isStale }) => isStale) && all.some(({ isStale }) => !isStale))
  })

  for (const [what, reply] of Object.entries({
    ...FAILURES,
    ...STALLS,
    'an error 400': json({ error: { code: '400 Bad Request', message: 'no' } }, 400),
    'an index of its own': json({
      data: [
        {
          from: '2026-11-15T12:00Z',
          to: '2026-11-15T12:30Z',
          intensity: { forecast: 1, actual: null, index: '?' },
        },
      ],
    }),
    'figures out of reach': json({
      data: [
        { from: '2026-11-15T12:00Z', to: '2026-11-15T12:30Z', intensity: { forecast: -1, index: 'low' } },
      ],
    }),
    'half hours that are none': json({
      data: [
        { from: '2026-11-15T12:00Z', to: '2036-11-15T12:30Z', intensity: { forecast: 1, index: 'low' } },
      ],
    }),
    'too many entries': json({ data: Array(2_000).fill(null) }),
    'a mix beyond all': json({
      data: [
        {
          from: '2026-11-15T12:00Z',
          to: '2026-11-15T12:30Z',
          intensity: null,
          generationmix: [{ fuel: 'gas', perc: 143 }],
        },
      ],
    }),
  })) {
    for (const place of [BRITAIN, LONDON])
      test(`${what} is 503 when nothing is cached, and emissions continue (${place.postcode})`, async (t) => {
        const { service, carbon, clock } = await bench(t, what in STALLS ? STALL_MS : undefined)
        service.reply = reply
        await assert.rejects(carbon.intensity(place, NOON, NOON + 1), isUnavailable)
        clock.at += 3_600_000
        await assert.rejects(carbon.mix(place, clock.at), isUnavailable)
        clock.at += 3_600_000
        const { gramsAt, isSyntheticAt } = await carbon.forEmissions(place, NOON - DAY, NOON)
        assert.equal(gramsAt(NOON - 1), syntheticIntensity(NOON - 1))
        assert.equal(isSyntheticAt(NOON - 1), true)
      })
  }

  test('has no entry for a half hour without a value', async (t) => {
    const { service, carbon } = await bench(t)
    service.grams = (from) => (from < NOON ? 200 : null)
    assert.equal((await carbon.intensity(BRITAIN, NOON - HALF_HOUR, NOON + HALF_HOUR)).length, 1)
    assert.deepEqual(await carbon.intensity(BRITAIN, NOON, NOON + HALF_HOUR), [])
  })
})

describe('intensities for emissions', () => {
  test('are kept when a later response has a gap', async (t) => {
    const { service, carbon, move } = await bench(t)
    await carbon.forEmissions(BRITAIN, MIDNIGHT, NOON)
    move(300_000)
    service.grams = () => null
    assert.equal((await carbon.forEmissions(BRITAIN, MIDNIGHT, NOON)).gramsAt(MIDNIGHT), 200)
    assert.equal(service.requests.length, 2)
  })

  test('are those of the service, and synthetic where it has none', async (t) => {
    const { service, carbon } = await bench(t)
    service.grams = (from) => (from === MIDNIGHT ? null : 77)
    const { gramsAt, isSyntheticAt } = await carbon.forEmissions(BRITAIN, MIDNIGHT, NOON)
    assert.equal(gramsAt(MIDNIGHT), syntheticIntensity(MIDNIGHT))
    assert.equal(gramsAt(MIDNIGHT + HALF_HOUR), 77)
    assert.equal(gramsAt(NOON - 1), 77)
    assert.deepEqual([MIDNIGHT, NOON - 1].map(isSyntheticAt), [true, false])
  })

  test('of a long range are loaded a few requests at a time, the newest first', async (t) => {
    const { service, carbon } = await bench(t)
    service.grams = () => 77
    const from = MIDNIGHT - 100 * DAY
    const first = await carbon.forEmissions(BRITAIN, from, NOON)
    assert.equal(service.requests.length, 4)
    assert.equal(first.gramsAt(MIDNIGHT - 55 * DAY), 77)
    assert.equal(first.gramsAt(MIDNIGHT - 56 * DAY), syntheticIntensity(MIDNIGHT - 56 * DAY))
    const second = await carbon.forEmissions(BRITAIN, from, NOON)
    assert.equal(second.gramsAt(from), 77)
    assert.equal(first.gramsAt(from), syntheticIntensity(from), 'an answer does not change while it is used')
    const count = service.requests.length
    await carbon.forEmissions(BRITAIN, from, NOON)
    assert.equal(service.requests.length, count)
  })

  test('are not requested for the future', async (t) => {
    const { service, carbon } = await bench(t)
    await carbon.forEmissions(BRITAIN, MIDNIGHT, NOON + 30 * DAY)
    assert.deepEqual(service.requests, ['/intensity/2026-11-15T00:00Z/2026-11-16T00:00Z'])
    await carbon.forEmissions(BRITAIN, NOON + DAY, NOON + 2 * DAY)
    assert.equal(service.requests.length, 1)
  })
})

describe('generation mix of Great Britain', () => {
  test('of now is the newest one that the service has', async (t) => {
    const { service, carbon } = await bench(t)
    service.now -= HALF_HOUR
    const mix = await carbon.mix(BRITAIN, NOON + 1)
    assert.equal(mix.from, NOON - HALF_HOUR)
    assert.deepEqual([mix.isSynthetic, mix.isStale], [false, false])
    assert.deepEqual(mix.fuels[3], { fuel: 'gas', percent: 43.6 })
    assert.deepEqual(service.requests, ['/generation'])
  })

  test('of the past and of regions is that of the half hour', async (t) => {
    const { service, carbon } = await bench(t)
    assert.equal((await carbon.mix(BRITAIN, MIDNIGHT + 1)).from, MIDNIGHT)
    assert.equal((await carbon.mix(LONDON, NOON)).fuels[3]?.percent, 44.6)
    assert.deepEqual(service.requests, [
      '/generation/2026-11-15T00:00Z/2026-11-15T00:30Z',
      '/regional/intensity/2026-11-15T12:00Z/2026-11-15T12:30Z/postcode/E1',
    ])
  })

  test('is the last known one while the service is down, also in the next half hour', async (t) => {
    const { service, carbon, clock } = await bench(t)
    const before = await carbon.mix(BRITAIN, NOON)
    clock.at += HALF_HOUR
    service.reply = json({}, 502)
    assert.deepEqual(await carbon.mix(BRITAIN, clock.at), { ...before, isStale: true })
  })

  test('that the service does not have is 503, and the region is still requested for others', async (t) => {
    const { service, carbon } = await bench(t)
    service.grams = (from) => (from < MIDNIGHT ? null : 200)
    await assert.rejects(carbon.mix(LONDON, MIDNIGHT - DAY), isUnavailable)
    assert.equal((await carbon.mix(LONDON, NOON)).fuels[3]?.percent, 44.6)
  })
})
