import type { Config } from '../config/config.ts'
import { gbCarbonIntensity } from '../domain/external/carbon/gb-carbon-intensity.ts'
import type { CarbonProvider } from '../domain/external/carbon/provider.ts'
import { syntheticCarbon } from '../domain/external/carbon/synthetic.ts'
import { openMeteo } from '../domain/external/weather/open-meteo.ts'
import type { WeatherProvider } from '../domain/external/weather/provider.ts'
import { syntheticWeather } from '../domain/external/weather/synthetic.ts'
import type { Clock } from '../kernel/clock.ts'

/** No external service is called unless it is configured. */
export function createProviders(
  config: Config,
  clock: Clock,
  onFailure: (error: Error) => void,
): { weather: WeatherProvider; carbon: CarbonProvider } {
  return {
    weather:
      config.weatherProvider === 'open-meteo'
        ? openMeteo({ url: config.weatherUrl, clock, onFailure })
        : syntheticWeather(clock),
    carbon:
      config.carbonProvider === 'gb-carbon-intensity'
        ? gbCarbonIntensity({ url: config.carbonUrl, clock, onFailure })
        : syntheticCarbon(clock),
  }
}
