export const CONDITIONS = [
  'clear',
  'partlyCloudy',
  'overcast',
  'fog',
  'drizzle',
  'rain',
  'freezingRain',
  'snow',
  'thunderstorm',
] as const

export type Condition = (typeof CONDITIONS)[number]

export interface Coordinates {
  /** Degrees, north is positive. */
  latitude: number
  /** Degrees, east is positive. */
  longitude: number
}

export interface Weather {
  /** degC */
  temperature: number
  /** Relative, % */
  humidity: number
  /** m/s, ten metres above the ground */
  windSpeed: number
  /** mm in the preceding quarter hour */
  precipitation: number
  condition: Condition
  /** Epoch milliseconds. */
  observedAt: number
  /** Generated, not observed. */
  isSynthetic: boolean
  /** The last value of a source that is down. */
  isStale: boolean
}

export interface WeatherProvider {
  /** Throws `unavailable` if the source is down and no value is cached for the coordinates. */
  current(coordinates: Coordinates): Promise<Weather>
}
