import { externalUnavailable } from '../../../kernel/errors.ts'
import { createStaleIfErrorCache } from '../stale-if-error-cache.ts'
import { BoundedCache } from '../../../kernel/cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { createExternalService, ExternalServiceError, PAUSE_SECONDS } from '../external-service.ts'
import { createDayCache, startOfUtcDay } from './day-cache.ts'
import {
  type GbMix,
  gbInstant,
  isFinalHalfHour,
  readNationalIntensity,
  readNationalMixes,
  readRegionalIntensity,
  readRegionalMixes,
} from './gb-responses.ts'
import { NATIONAL, findRegion } from './gb-region.ts'
import { HALF_HOUR_MS, startOfHalfHour, halfHoursIn } from './half-hour.ts'
import type { CarbonProvider } from './provider.ts'
import { SYNTHETIC_INTENSITY, syntheticCarbon } from './synthetic.ts'

const DAY_MS = 86_400_000
const MAX_BYTES = 2 * 1024 * 1024
const FRESH_MS = 5 * 60_000
const MAX_MIXES = 1_000
const MAX_REJECTED = 1_000

/**
 * Great Britain's Carbon Intensity API: values of a postcode's region, or of the whole grid for a location without a
 * postcode. Locations that this grid does not reach get synthetic values, marked as such.
 */
export function gbCarbonIntensity(options: {
  url: string
  clock: Clock
  timeoutMs?: number
  onFailure(error: ExternalServiceError): void
}): CarbonProvider {
  const { clock } = options
  const service = createExternalService({
    ...options,
    name: 'the carbon intensity service',
    maxBytes: MAX_BYTES,
  })
  const synthetic = syntheticCarbon(clock)
  const rejectedUntil = new BoundedCache<string, number>(MAX_REJECTED)

  /** For a postcode that the service does not know, the values of the whole grid are used. */
  const fetchForRegion = async <T>(
    region: string,
    regional: (postcode: string) => Promise<T>,
    national: () => Promise<T>,
  ): Promise<T> => {
    if (region === NATIONAL || clock.now() < (rejectedUntil.get(region) ?? 0)) return national()
    try {
      return await regional(region)
    } catch (error) {
      if (!(error instanceof ExternalServiceError && error.isRejection)) throw error
      const response = await national()
      rejectedUntil.set(region, clock.now() + DAY_MS)
      return response
    }
  }

  const regionalPath = (postcode: string, from: number, to: number): string =>
    `/regional/intensity/${gbInstant(from)}/${gbInstant(to)}/postcode/${postcode}`

  const days = createDayCache(clock, (region, from, to) =>
    fetchForRegion(
      region,
      (postcode) => service.get({ path: regionalPath(postcode, from, to), read: readRegionalIntensity }),
      () =>
        service.get({ path: `/intensity/${gbInstant(from)}/${gbInstant(to)}`, read: readNationalIntensity }),
    ),
  )

  // The current mix has its own cache key, so that the last value is available when the next half hour has begun.
  const latestMixes = createStaleIfErrorCache<GbMix>({ clock, max: MAX_MIXES, freshMs: () => FRESH_MS })
  const pastMixes = createStaleIfErrorCache<GbMix>({
    clock,
    max: MAX_MIXES,
    freshMs: ({ from }) => (from < clock.now() - DAY_MS ? Number.POSITIVE_INFINITY : FRESH_MS),
  })

  /** The service has a separate path for the newest national mix, which can be that of the previous half hour. */
  const latestMix = async (region: string): Promise<GbMix> => {
    const start = startOfHalfHour(clock.now())
    const mixes = await fetchForRegion(
      region,
      (postcode) =>
        service.get({ path: regionalPath(postcode, start, start + HALF_HOUR_MS), read: readRegionalMixes }),
      () => service.get({ path: '/generation', read: readNationalMixes }),
    )
    return requireMix(mixes.toSorted((a, b) => b.from - a.from).find(({ from }) => from <= start))
  }

  const pastMix = async (region: string, start: number): Promise<GbMix> => {
    const end = start + HALF_HOUR_MS
    const mixes = await fetchForRegion(
      region,
      (postcode) => service.get({ path: regionalPath(postcode, start, end), read: readRegionalMixes }),
      () =>
        service.get({ path: `/generation/${gbInstant(start)}/${gbInstant(end)}`, read: readNationalMixes }),
    )
    return requireMix(mixes.find(({ from }) => from === start))
  }

  return {
    async intensity(location, from, to) {
      const region = findRegion(location)
      if (region === null) return synthetic.intensity(location, from, to)
      await days.load(region, from, to)
      const cached = days.get(region, from, to)
      const now = clock.now()
      const halfHours = halfHoursIn(from, to).flatMap((start) => {
        const day = cached.get(startOfUtcDay(start))
        const halfHour = day?.halfHours.get(start)
        if (!day || !halfHour) return []
        const { gramsPerKwh, index, isForecast } = halfHour
        const isStale = day.failure !== undefined && !isFinalHalfHour(halfHour, now)
        return [
          {
            from: start,
            to: start + HALF_HOUR_MS,
            gramsPerKwh,
            index,
            isForecast,
            isSynthetic: false,
            isStale,
          },
        ]
      })
      const failed = cached.values().find(({ failure }) => failure !== undefined)
      if (halfHours.length === 0 && failed)
        throw externalUnavailable('carbon intensity', PAUSE_SECONDS, failed.failure)
      return halfHours
    },

    async mix(location, at) {
      const region = findRegion(location)
      if (region === null) return synthetic.mix(location, at)
      const start = startOfHalfHour(at)
      try {
        const { value, isStale } =
          start === startOfHalfHour(clock.now())
            ? await latestMixes(region, () => latestMix(region))
            : await pastMixes(`${region} ${start}`, () => pastMix(region, start))
        return { ...value, to: value.from + HALF_HOUR_MS, isSynthetic: false, isStale }
      } catch (error) {
        throw externalUnavailable('the generation mix', PAUSE_SECONDS, error)
      }
    },

    async forEmissions(location, from, to) {
      const region = findRegion(location)
      if (region === null) return SYNTHETIC_INTENSITY
      const until = Math.min(to, clock.now())
      await days.load(region, from, until)
      // A copy: an entry that the cache evicts later must not be missing in the middle of a computation.
      const cached = days.get(region, from, until)
      const reported = (at: number): number | undefined =>
        cached.get(startOfUtcDay(at))?.halfHours.get(startOfHalfHour(at))?.gramsPerKwh
      // Synthetic where the service is down or has no value, and where a long span is not fully loaded yet.
      return {
        gramsAt: (at) => reported(at) ?? SYNTHETIC_INTENSITY.gramsAt(at),
        isSyntheticAt: (at) => reported(at) === undefined,
      }
    },
  }
}

function requireMix(mix: GbMix | undefined): GbMix {
  if (!mix)
    throw new ExternalServiceError('the carbon intensity service has no generation mix for that half hour', {
      isRejection: true,
    })
  return mix
}
