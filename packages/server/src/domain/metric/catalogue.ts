/** How a metric's readings become one value: summed, averaged, or derived from other metrics. */
export type MetricGroup = 'utility' | 'environment' | 'derived'

/** `hourly` has windows of up to an hour, `daily` of whole days and longer. */
export type Granularity = 'hourly' | 'daily'

export interface MetricType {
  unit: string
  group: MetricGroup
  aggregation: 'sum' | 'mean' | 'score'
  /** What its rollups contain: amounts between readings, or means of readings. Null for a derived metric. */
  cellKind: 'meter' | 'gauge' | null
  /**
   * How the devices of a space become one series. `pooled`: as if one device had measured everything. `added`: the
   * values of each window are summed, as for people counters, so rollups are per device. Null for a derived metric.
   */
  combination: 'pooled' | 'added' | null
  /** Whether less of it is better: scores and tips are about these metrics. Generation is not use. */
  countsAsUse: boolean
  /** How its values are computed from other metrics. */
  derive: 'emissions' | 'score' | null
  /** The measured metrics that it is computed from; a score is computed from everything that counts as use. */
  derivedFrom: readonly string[]
  /** How its emissions are computed: from the grid's intensity in each half hour, or with a factor. Null: not counted. */
  emissions: 'grid' | 'factor' | null
  granularities: readonly Granularity[]
  /** Whether the objects of version 1 have a field for it. No fields are added to version 1. */
  inV1: boolean
  description: string
  /** Class of Brick 1.4; null if it has none for the metric. */
  brick: string | null
  /** Project Haystack tags. */
  haystack: readonly string[]
}

const BOTH: readonly Granularity[] = ['hourly', 'daily']
const DAILY: readonly Granularity[] = ['daily']

const MEASURED = { derive: null, derivedFrom: [], emissions: null, granularities: BOTH, inV1: true } as const

const utility = (unit: string, description: string, brick: string | null, ...haystack: string[]) =>
  ({
    ...MEASURED,
    unit,
    group: 'utility',
    aggregation: 'sum',
    cellKind: 'meter',
    combination: 'pooled',
    countsAsUse: true,
    description,
    brick,
    haystack,
  }) as const

const environment = (unit: string, description: string, brick: string | null, ...haystack: string[]) =>
  ({
    ...MEASURED,
    unit,
    group: 'environment',
    aggregation: 'mean',
    cellKind: 'gauge',
    combination: 'pooled',
    countsAsUse: false,
    description,
    brick,
    haystack,
  }) as const

/** Every {metrictype} of the API, in the order in which the API lists them. */
export const METRICS = {
  electricity: {
    ...utility('kWh', 'Electrical energy used', 'Electrical_Energy_Usage_Sensor', 'elec', 'energy', 'sensor'),
    emissions: 'grid',
  },
  gas: {
    ...utility('m3', 'Gas used', 'Natural_Gas_Usage_Sensor', 'naturalGas', 'volume', 'sensor'),
    emissions: 'factor',
  },
  water: utility('m3', 'Cold water used', 'Water_Usage_Sensor', 'domestic', 'water', 'volume', 'sensor'),
  hotwater: utility('m3', 'Hot water used', 'Hot_Water_Usage_Sensor', 'hot', 'water', 'volume', 'sensor'),
  heating: {
    ...utility('kWh', 'Heat used', 'Thermal_Energy_Usage_Sensor', 'heating', 'energy', 'sensor'),
    emissions: 'factor',
  },
  cooling: {
    ...utility('kWh', 'Cooling used', 'Thermal_Energy_Usage_Sensor', 'cooling', 'energy', 'sensor'),
    emissions: 'factor',
  },
  solar: {
    ...utility(
      'kWh',
      'Solar energy generated',
      'Energy_Generation_Sensor',
      'solar',
      'elec',
      'energy',
      'sensor',
    ),
    countsAsUse: false,
  },
  temperature: environment('degC', 'Air temperature', 'Air_Temperature_Sensor', 'air', 'temp', 'sensor'),
  humidity: environment('%RH', 'Relative humidity', 'Relative_Humidity_Sensor', 'air', 'humidity', 'sensor'),
  co2: environment('ppm', 'Carbon dioxide', 'CO2_Level_Sensor', 'air', 'co2', 'concentration', 'sensor'),
  voc: environment(
    'ppb',
    'Volatile organic compounds',
    'TVOC_Level_Sensor',
    'air',
    'tvoc',
    'concentration',
    'sensor',
  ),
  pm25: environment(
    'ug/m3',
    'Fine particles',
    'PM2.5_Level_Sensor',
    'air',
    'pm25',
    'concentration',
    'sensor',
  ),
  noise: environment('dB(A)', 'Sound level', null, 'noise', 'sensor'),
  light: environment('lux', 'Illuminance', 'Illuminance_Sensor', 'light', 'illuminance', 'sensor'),
  pressure: environment('hPa', 'Air pressure', 'Air_Pressure_Sensor', 'air', 'pressure', 'sensor'),
  occupancy: {
    ...environment('people', 'People present', 'Occupancy_Count_Sensor', 'occupancy', 'count', 'sensor'),
    combination: 'added',
  },
  motion: environment('%', 'Share of the time with motion', 'Motion_Sensor', 'motion', 'sensor'),
  carbon: {
    unit: 'kgCO2e',
    group: 'derived',
    aggregation: 'sum',
    cellKind: null,
    combination: null,
    countsAsUse: false,
    derive: 'emissions',
    derivedFrom: ['electricity', 'gas', 'heating', 'cooling'],
    emissions: null,
    granularities: BOTH,
    inV1: false,
    description: 'Emissions of the electricity, gas, heat and cooling used',
    brick: null,
    haystack: ['co2e', 'emissions', 'sensor'],
  },
  performance: {
    unit: 'score',
    group: 'derived',
    aggregation: 'score',
    cellKind: null,
    combination: null,
    countsAsUse: false,
    derive: 'score',
    derivedFrom: [],
    emissions: null,
    granularities: DAILY,
    inV1: false,
    description: 'Use against target or peers, 0 to 100; 50 is as its peers, 100 used nothing',
    brick: null,
    haystack: ['performance', 'sensor'],
  },
} as const satisfies Record<string, MetricType>

export type MetricName = keyof typeof METRICS

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[]

export const isMetricName = (text: string): text is MetricName => Object.hasOwn(METRICS, text)

/** The metrics that devices measure. */
type MeasuredName = {
  [N in MetricName]: (typeof METRICS)[N]['derive'] extends null ? N : never
}[MetricName]

/** Every metric that is not derived, and `battery`, which is not a {metrictype} of the API. */
export type MeasuredMetric = MeasuredName | 'battery'

export const isMeasured = (metric: MetricName): metric is MeasuredName => METRICS[metric].derive === null

export const MEASURED_METRICS: readonly MeasuredMetric[] = [...METRIC_NAMES.filter(isMeasured), 'battery']

const FACTS = {
  ...METRICS,
  battery: { unit: '%', cellKind: 'gauge', combination: 'pooled', countsAsUse: false },
} as const

export const getUnit = (metric: MetricName | MeasuredMetric): string => FACTS[metric].unit

export const getCellKind = (metric: MeasuredMetric): 'meter' | 'gauge' => FACTS[metric].cellKind

export const getCombination = (metric: MeasuredMetric): 'pooled' | 'added' => FACTS[metric].combination

export const countsAsUse = (metric: MetricName | MeasuredMetric): boolean => FACTS[metric].countsAsUse

/** In the unit of the metric; generous for a whole building. */
const MAX_PER_HOUR: Partial<Record<MeasuredMetric, number>> = {
  electricity: 2_000,
  gas: 500,
  water: 200,
  hotwater: 200,
  heating: 2_000,
  cooling: 2_000,
  solar: 2_000,
}

/** Consumption per hour above which it is suspect, unless the inventory declares another limit; null for a gauge. */
export const getMaxPerHour = (metric: MeasuredMetric): number | null => MAX_PER_HOUR[metric] ?? null

/** The measured metrics that a derived one is computed from. */
export const getSources = (metric: MetricName): readonly MeasuredName[] => METRICS[metric].derivedFrom

export const UTILITIES = METRIC_NAMES.filter((name) => METRICS[name].group === 'utility')

export const ENVIRONMENT = METRIC_NAMES.filter((name) => METRICS[name].group === 'environment')

/** The fields of version 1, which does not grow with the catalogue. */
export const V1_UTILITIES = UTILITIES.filter((name) => METRICS[name].inV1)

export const V1_ENVIRONMENT = ENVIRONMENT.filter((name) => METRICS[name].inV1)
