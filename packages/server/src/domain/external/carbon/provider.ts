export const INTENSITY_INDEXES = ['very low', 'low', 'moderate', 'high', 'very high'] as const

export type IntensityIndex = (typeof INTENSITY_INDEXES)[number]

/** Where electricity is used. The postcode takes precedence over the coordinates. */
export interface GridLocation {
  postcode: string | null
  latitude: number | null
  longitude: number | null
}

export interface IntensityHalfHour {
  /** Epoch milliseconds, like all instants here. */
  from: number
  to: number
  /** CO2e per kilowatt hour from the grid. */
  gramsPerKwh: number
  index: IntensityIndex
  /** Estimated, not measured: the half hour is in the future, or the source has estimates only. */
  isForecast: boolean
  /** Generated, not reported by a grid. */
  isSynthetic: boolean
  /** The last value of a source that is down. */
  isStale: boolean
}

export interface FuelShare {
  fuel: string
  /** 0..100 */
  percent: number
}

export interface GenerationMix {
  from: number
  to: number
  fuels: FuelShare[]
  isSynthetic: boolean
  isStale: boolean
}

/** Carbon intensity by instant, constant within a half hour. */
export interface CarbonIntensity {
  /** CO2e per kilowatt hour from the grid. */
  gramsAt(at: number): number
  /** Generated, not reported by a grid. */
  isSyntheticAt(at: number): boolean
}

export interface CarbonProvider {
  /**
   * The half hours that overlap a span, in order, without those that the source does not have. Throws `unavailable` if
   * the source is down and none of them is cached.
   */
  intensity(location: GridLocation, from: number, to: number): Promise<IntensityHalfHour[]>
  /** The generation mix of the half hour that contains an instant. Throws `unavailable` like `intensity`. */
  mix(location: GridLocation, at: number): Promise<GenerationMix>
  /** For emissions: loads a span for synchronous access to every instant in it. Never fails. */
  forEmissions(location: GridLocation, from: number, to: number): Promise<CarbonIntensity>
}
