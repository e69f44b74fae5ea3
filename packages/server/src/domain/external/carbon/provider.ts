export const INTENSITY_INDEXES = ['very low', 'low', 'moderate', 'high', 'very high'] as const

export type IntensityIndex = (typeof INTENSITY_INDEXES)[number]

/** Where electricity is used: the postcode counts if there is one. */
export interface GridLocation {
  postcode: string | null
  latitude: number | null
  longitude: number | null
}

export interface IntensityHalfHour {
  /** Milliseconds since 1970, as all instants here. */
  from: number
  to: number
  /** CO2e of a kilowatt hour from the grid. */
  gramsPerKwh: number
  index: IntensityIndex
  /** Estimated, not measured: it is still to come, or the source only ever estimates. */
  isForecast: boolean
  /** Made up: no grid was asked. */
  isSynthetic: boolean
  /** The source is down: this is what it said last. */
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

/** Of the half hour that holds an instant. */
export interface CarbonIntensity {
  /** CO2e of a kilowatt hour from the grid. */
  gramsAt(at: number): number
  /** Made up: no grid said it. */
  isSyntheticAt(at: number): boolean
}

export interface CarbonProvider {
  /**
   * The half hours that a span touches, in order; those that the source does not have are left out. Throws `unavailable` when it is
   * down and none of them is known.
   */
  intensity(place: GridLocation, from: number, to: number): Promise<IntensityHalfHour[]>
  /** What electricity was made from in the half hour that holds an instant. Throws `unavailable` like `intensity`. */
  mix(place: GridLocation, at: number): Promise<GenerationMix>
  /** For emissions: brings what is needed for a span, then answers at once for any instant, and never fails. */
  forEmissions(place: GridLocation, from: number, to: number): Promise<CarbonIntensity>
}
