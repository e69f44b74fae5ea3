import { expectNumber, expectObject, expectText } from '../expect.ts'
import type { Condition, Weather } from './provider.ts'

/** Requests our units and UTC explicitly, because the service's defaults differ. */
export const OPEN_METEO_QUERY = {
  current: 'temperature_2m,relative_humidity_2m,precipitation,weather_code,wind_speed_10m',
  temperature_unit: 'celsius',
  wind_speed_unit: 'ms',
  precipitation_unit: 'mm',
  timezone: 'GMT',
}

const UNITS: Record<string, RegExp> = {
  temperature_2m: /^°C$/,
  wind_speed_10m: /^m\/s$/,
  precipitation: /^mm$/,
}

/** The WMO weather interpretation codes that the service documents. */
const CODES: Record<number, Condition> = {
  0: 'clear',
  1: 'clear',
  2: 'partlyCloudy',
  3: 'overcast',
  45: 'fog',
  48: 'fog',
  51: 'drizzle',
  53: 'drizzle',
  55: 'drizzle',
  56: 'freezingRain',
  57: 'freezingRain',
  61: 'rain',
  63: 'rain',
  65: 'rain',
  66: 'freezingRain',
  67: 'freezingRain',
  71: 'snow',
  73: 'snow',
  75: 'snow',
  77: 'snow',
  80: 'rain',
  81: 'rain',
  82: 'rain',
  85: 'snow',
  86: 'snow',
  95: 'thunderstorm',
  96: 'thunderstorm',
  99: 'thunderstorm',
}

export type Observation = Omit<Weather, 'isSynthetic' | 'isStale'>

type MeasuredFields =
  | 'temperature_2m'
  | 'relative_humidity_2m'
  | 'precipitation'
  | 'weather_code'
  | 'wind_speed_10m'

/** Validates the response of /v1/forecast to `OPEN_METEO_QUERY`. Also its units: km/h read as m/s would look right. */
export function readOpenMeteo(response: unknown): Observation {
  const whole = expectObject<'current' | 'current_units'>(response, 'the response')
  const units = expectObject<string>(whole.current_units, 'current_units')
  for (const [name, unit] of Object.entries(UNITS)) expectText(units[name], unit, `the unit of ${name}`)
  const current = expectObject<MeasuredFields | 'time'>(whole.current, 'current')
  const time = expectText(current.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d$/, 'time')
  const condition = CODES[expectNumber(current.weather_code, 0, 99, 'weather_code')]
  if (!condition) throw new RangeError('weather_code is not a documented code')
  return {
    temperature: expectNumber(current.temperature_2m, -100, 70, 'temperature_2m'),
    humidity: expectNumber(current.relative_humidity_2m, 0, 100, 'relative_humidity_2m'),
    windSpeed: expectNumber(current.wind_speed_10m, 0, 150, 'wind_speed_10m'),
    precipitation: expectNumber(current.precipitation, 0, 500, 'precipitation'),
    condition,
    observedAt: expectNumber(Date.parse(`${time}Z`), 0, Number.MAX_SAFE_INTEGER, 'time'),
  }
}
