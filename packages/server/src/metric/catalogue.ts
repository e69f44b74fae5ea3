/** How a metric's readings become one value: summed, averaged, or worked out from other metrics. */
export type MetricGroup = 'utility' | 'environment' | 'derived'

export interface MetricType {
  unit: string
  group: MetricGroup
  aggregation: 'sum' | 'mean' | 'score'
  description: string
  /** Brick schema class. */
  brick: string
  /** Project Haystack tags. */
  haystack: readonly string[]
}

const utility = (unit: string, description: string, brick: string, ...haystack: string[]) =>
  ({ unit, group: 'utility', aggregation: 'sum', description, brick, haystack }) as const

const environment = (unit: string, description: string, brick: string, ...haystack: string[]) =>
  ({ unit, group: 'environment', aggregation: 'mean', description, brick, haystack }) as const

/** Every {metrictype} of the API, in the order in which it is listed. */
export const METRICS = {
  electricity: utility(
    'kWh',
    'Electrical energy used',
    'Electrical_Energy_Usage_Sensor',
    'elec',
    'energy',
    'sensor',
  ),
  gas: utility('m3', 'Gas used', 'Natural_Gas_Usage_Sensor', 'naturalGas', 'volume', 'sensor'),
  water: utility('m3', 'Cold water used', 'Water_Usage_Sensor', 'domestic', 'water', 'volume', 'sensor'),
  hotwater: utility('m3', 'Hot water used', 'Hot_Water_Usage_Sensor', 'hot', 'water', 'volume', 'sensor'),
  heating: utility('kWh', 'Heat used', 'Thermal_Energy_Usage_Sensor', 'heating', 'energy', 'sensor'),
  cooling: utility('kWh', 'Cooling used', 'Cooling_Thermal_Energy_Sensor', 'cooling', 'energy', 'sensor'),
  solar: utility(
    'kWh',
    'Solar energy generated',
    'Energy_Generation_Sensor',
    'solar',
    'elec',
    'energy',
    'sensor',
  ),
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
  noise: environment('dB(A)', 'Sound level', 'Noise_Level_Sensor', 'noise', 'sensor'),
  light: environment('lux', 'Illuminance', 'Illuminance_Sensor', 'light', 'illuminance', 'sensor'),
  pressure: environment('hPa', 'Air pressure', 'Atmospheric_Pressure_Sensor', 'air', 'pressure', 'sensor'),
  occupancy: environment(
    'people',
    'People present',
    'Occupancy_Count_Sensor',
    'occupancy',
    'count',
    'sensor',
  ),
  motion: environment('%', 'Share of the time with motion', 'Motion_Sensor', 'motion', 'sensor'),
  carbon: {
    unit: 'kgCO2e',
    group: 'derived',
    aggregation: 'sum',
    description: 'Emissions of the electricity used, half hour by half hour',
    brick: 'Emissions_Sensor',
    haystack: ['co2e', 'emissions', 'sensor'],
  },
  performance: {
    unit: 'score',
    group: 'derived',
    aggregation: 'score',
    description: 'Use against target or peers, 0 to 100; 50 is as its peers, 100 used nothing',
    brick: 'Performance_Sensor',
    haystack: ['performance', 'sensor'],
  },
} as const satisfies Record<string, MetricType>

export type MetricName = keyof typeof METRICS

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[]

export const isMetricName = (text: string): text is MetricName => Object.hasOwn(METRICS, text)

/** What a device can measure: every metric that is not derived, and `battery`, which is no metrictype of the API. */
export type MeasuredMetric = Exclude<MetricName, 'carbon' | 'performance'> | 'battery'

export const isMeasured = (metric: MetricName): metric is Exclude<MetricName, 'carbon' | 'performance'> =>
  METRICS[metric].group !== 'derived'

export const UTILITIES = METRIC_NAMES.filter((name) => METRICS[name].group === 'utility')

export const ENVIRONMENT = METRIC_NAMES.filter((name) => METRICS[name].group === 'environment')
