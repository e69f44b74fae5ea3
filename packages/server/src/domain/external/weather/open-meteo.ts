import { externalUnavailable } from '../../../kernel/errors.ts'
import { createStaleIfErrorCache } from '../stale-if-error-cache.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { createExternalService, type ExternalServiceError, PAUSE_SECONDS } from '../external-service.ts'
import { type Observation, OPEN_METEO_QUERY, readOpenMeteo } from './open-meteo-response.ts'
import type { WeatherProvider } from './provider.ts'

const FRESH_MS = 10 * 60_000
const MAX_LOCATIONS = 1_000
const MAX_BYTES = 64 * 1024

/** Current weather from Open-Meteo, or from another service with its format. */
export function openMeteo(options: {
  url: string
  clock: Clock
  timeoutMs?: number
  onFailure(error: ExternalServiceError): void
}): WeatherProvider {
  const service = createExternalService({ ...options, name: 'the weather service', maxBytes: MAX_BYTES })
  const cache = createStaleIfErrorCache<Observation>({
    clock: options.clock,
    max: MAX_LOCATIONS,
    freshMs: () => FRESH_MS,
  })

  return {
    async current(coordinates) {
      // About a kilometre: finer than the weather models, and the service does not learn which building it is.
      const [latitude, longitude] = [coordinates.latitude.toFixed(2), coordinates.longitude.toFixed(2)]
      const query = { latitude, longitude, ...OPEN_METEO_QUERY }
      const load = () => service.get({ path: '/v1/forecast', query, read: readOpenMeteo })
      try {
        const { value, isStale } = await cache(`${latitude},${longitude}`, load)
        return { ...value, isSynthetic: false, isStale }
      } catch (error) {
        throw externalUnavailable('weather', PAUSE_SECONDS, error)
      }
    },
  }
}
