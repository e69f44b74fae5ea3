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
import { MADE_UP, syntheticCarbon } from './synthetic.ts'

const DAY_MS = 86_400_000
const MAX_BYTES = 2 * 1024 * 1024
const FRESH_MS = 5 * 60_000
const MAX_MIXES = 1_000
const MAX_REFUSED = 1_000

/**
 * Great Britain's Carbon Intensity API: of a postcode's region, or of the whole grid for a place without one. A place that this grid
 * does not reach gets the synthetic one, marked as such.
 */
export function gbCarbonIntensity(options: {
  url: string
  clock: Clock
  timeoutMs?: number
  onFailure(error: ExternalServiceError): void
}): CarbonProvider {
  const { clock } = options
  const outside = createExternalService({
    ...options,
    name: 'the carbon intensity service',
    maxBytes: MAX_BYTES,
  })
  const synthetic = syntheticCarbon(clock)
  const refusedUntil = new BoundedCache<string, number>(MAX_REFUSED)

  /** A postcode that the service does not know gets the figures of the whole grid. */
  const ofRegion = async <T>(
    region: string,
    regional: (postcode: string) => Promise<T>,
    national: () => Promise<T>,
  ): Promise<T> => {
    if (region === NATIONAL || clock.now() < (refusedUntil.get(region) ?? 0)) return national()
    try {
      return await regional(region)
    } catch (error) {
      if (!(error instanceof ExternalServiceError && error.isRejection)) throw error
      const answer = await national()
      refusedUntil.set(region, clock.now() + DAY_MS)
      return answer
    }
  }

  const regionalPath = (postcode: string, from: number, to: number): string =>
    `/regional/intensity/${gbInstant(from)}/${gbInstant(to)}/postcode/${postcode}`

  const days = createDayCache(clock, (region, from, to) =>
    ofRegion(
      region,
      (postcode) => outside.get({ path: regionalPath(postcode, from, to), read: readRegionalIntensity }),
      () =>
        outside.get({ path: `/intensity/${gbInstant(from)}/${gbInstant(to)}`, read: readNationalIntensity }),
    ),
  )

  // The mix of now has a place of its own, so that there is a last known one when the half hour has moved on.
  const latestMixes = createStaleIfErrorCache<GbMix>({ clock, max: MAX_MIXES, freshMs: () => FRESH_MS })
  const pastMixes = createStaleIfErrorCache<GbMix>({
    clock,
    max: MAX_MIXES,
    freshMs: ({ from }) => (from < clock.now() - DAY_MS ? Number.POSITIVE_INFINITY : FRESH_MS),
  })

  /** The service has the newest national mix at an address of its own; it can be of the half hour before. */
  const latestMix = async (region: string): Promise<GbMix> => {
    const start = startOfHalfHour(clock.now())
    const mixes = await ofRegion(
      region,
      (postcode) =>
        outside.get({ path: regionalPath(postcode, start, start + HALF_HOUR_MS), read: readRegionalMixes }),
      () => outside.get({ path: '/generation', read: readNationalMixes }),
    )
    return requireMix(mixes.toSorted((a, b) => b.from - a.from).find(({ from }) => from <= start))
  }

  const pastMix = async (region: string, start: number): Promise<GbMix> => {
    const end = start + HALF_HOUR_MS
    const mixes = await ofRegion(
      region,
      (postcode) => outside.get({ path: regionalPath(postcode, start, end), read: readRegionalMixes }),
      () =>
        outside.get({ path: `/generation/${gbInstant(start)}/${gbInstant(end)}`, read: readNationalMixes }),
    )
    return requireMix(mixes.find(({ from }) => from === start))
  }

  return {
    async intensity(place, from, to) {
      const region = findRegion(place)
      if (region === null) return synthetic.intensity(place, from, to)
      await days.load(region, from, to)
      const known = days.known(region, from, to)
      const now = clock.now()
      const halfHours = halfHoursIn(from, to).flatMap((start) => {
        const day = known.get(startOfUtcDay(start))
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
      const failed = known.values().find(({ failure }) => failure !== undefined)
      if (halfHours.length === 0 && failed)
        throw externalUnavailable('carbon intensity', PAUSE_SECONDS, failed.failure)
      return halfHours
    },

    async mix(place, at) {
      const region = findRegion(place)
      if (region === null) return synthetic.mix(place, at)
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

    async forEmissions(place, from, to) {
      const region = findRegion(place)
      if (region === null) return MADE_UP
      const until = Math.min(to, clock.now())
      await days.load(region, from, until)
      // Taken out at once: what the cache forgets later is not missing in the middle of a computation.
      const known = days.known(region, from, until)
      const reported = (at: number): number | undefined =>
        known.get(startOfUtcDay(at))?.halfHours.get(startOfHalfHour(at))?.gramsPerKwh
      // The synthetic model stands in where the service is down, has no figure, or was not asked yet in a long span.
      return {
        gramsAt: (at) => reported(at) ?? MADE_UP.gramsAt(at),
        isSyntheticAt: (at) => reported(at) === undefined,
      }
    },
  }
}

function requireMix(mix: GbMix | undefined): GbMix {
  if (!mix)
    throw new ExternalServiceError('the carbon intensity service has no mix of that half hour', {
      isRejection: true,
    })
  return mix
}
