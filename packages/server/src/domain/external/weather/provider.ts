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
  /** mm in the quarter hour before */
  precipitation: number
  condition: Condition
  /** Milliseconds since 1970. */
  observedAt: number
  /** Made up, not observed. */
  isSynthetic: boolean
  /** The source is down: this is what it said last. */
  isStale: boolean
}

export interface WeatherProvider {
  /** Throws `unavailable` when the source is down and nothing is known of the place. */
  current(place: Coordinates): Promise<Weather>
}
