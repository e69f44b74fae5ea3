import { externalUnavailable } from '../../../kernel/errors.ts'
import { createStaleIfErrorCache } from '../stale-if-error-cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { createExternalService, type ExternalServiceError, PAUSE_SECONDS } from '../external-service.ts'
import { type Observation, OPEN_METEO_QUERY, readOpenMeteo } from './open-meteo-response.ts'
import type { WeatherProvider } from './provider.ts'

const FRESH_MS = 10 * 60_000
const MAX_PLACES = 1_000
const MAX_BYTES = 64 * 1024

/** The weather now from Open-Meteo, or from whoever speaks its format. */
export function openMeteo(options: {
  url: string
  clock: Clock
  timeoutMs?: number
  onFailure(error: ExternalServiceError): void
}): WeatherProvider {
  const outside = createExternalService({ ...options, name: 'the weather service', maxBytes: MAX_BYTES })
  const answers = createStaleIfErrorCache<Observation>({
    clock: options.clock,
    max: MAX_PLACES,
    freshMs: () => FRESH_MS,
  })

  return {
    async current(place) {
      // About a kilometre: finer than the models, and nobody outside learns which house it is.
      const [latitude, longitude] = [place.latitude.toFixed(2), place.longitude.toFixed(2)]
      const query = { latitude, longitude, ...OPEN_METEO_QUERY }
      const ask = () => outside.get({ path: '/v1/forecast', query, read: readOpenMeteo })
      try {
        const { value, isStale } = await answers(`${latitude},${longitude}`, ask)
        return { ...value, isSynthetic: false, isStale }
      } catch (error) {
        throw externalUnavailable('weather', PAUSE_SECONDS, error)
      }
    },
  }
}
