import { gauges, type Product } from './product.ts'

const ostermere = { manufacturer: 'Ostermere Metering', isWireless: false } as const
const pellbrook = { manufacturer: 'Pellbrook', isWireless: false } as const

export const THREE_PHASE_METER: Product = {
  ...ostermere,
  deviceType: 'electricityMeter',
  model: 'EM340 three-phase',
  serialPrefix: 'OM34',
  firmwareVersion: '2.8.1',
  metrics: { electricity: { kind: 'register', registerSize: 1_000_000, maxPerHour: 20 } },
}

export const SINGLE_PHASE_METER: Product = {
  ...ostermere,
  deviceType: 'electricityMeter',
  model: 'EM120',
  serialPrefix: 'OM12',
  firmwareVersion: '2.6.0',
  metrics: { electricity: { kind: 'register', registerSize: 1_000_000, maxPerHour: 9 } },
}

/** An older model that reports the use of each half hour and has no register. */
export const INTERVAL_METER: Product = {
  ...ostermere,
  deviceType: 'electricityMeter',
  model: 'HH10 interval',
  serialPrefix: 'OH10',
  firmwareVersion: '1.4.7',
  metrics: { electricity: { kind: 'delta', maxPerHour: 15, stepMinutes: 30 } },
}

export const WATER_METER: Product = {
  ...pellbrook,
  deviceType: 'waterMeter',
  model: 'Rill 20',
  serialPrefix: 'PR20',
  firmwareVersion: null,
  metrics: { water: { kind: 'register' } },
}

export const HOT_WATER_METER: Product = {
  ...pellbrook,
  deviceType: 'waterMeter',
  model: 'Rill 20 H',
  serialPrefix: 'PH20',
  firmwareVersion: null,
  metrics: { hotwater: { kind: 'register' } },
}

export const HEAT_METER: Product = {
  ...pellbrook,
  deviceType: 'heatMeter',
  model: 'Calor S2',
  serialPrefix: 'PC02',
  firmwareVersion: '3.1.4',
  metrics: { heating: { kind: 'register', registerSize: 1_000_000 } },
}

/** Four digits of cubic metres: a house of this size exceeds them within a year. */
export const GAS_METER: Product = {
  ...pellbrook,
  deviceType: 'gasMeter',
  model: 'G16 diaphragm',
  serialPrefix: 'PG16',
  firmwareVersion: null,
  metrics: { gas: { kind: 'register', registerSize: 10_000, maxPerHour: 40 } },
}

export const SOLAR_INVERTER: Product = {
  deviceType: 'solarInverter',
  manufacturer: 'Brightholm',
  model: 'Helia 36K',
  serialPrefix: 'BH36',
  firmwareVersion: '5.0.2',
  isWireless: false,
  metrics: { solar: { kind: 'register', registerSize: 10_000_000 } },
}

export const HOT_WATER_CYLINDER: Product = {
  deviceType: 'hotWaterCylinder',
  manufacturer: 'Pellbrook',
  model: 'Reservoir 1500',
  serialPrefix: 'PV15',
  firmwareVersion: '1.9.0',
  isWireless: false,
  metrics: { hotwater: { kind: 'register' }, ...gauges('temperature') },
  capabilities: {
    schedule: {
      types: ['weekly', 'override', 'boost', 'resume'],
      execution: 'device',
      minuteStep: 15,
      maxPeriodsPerDay: 6,
    },
    setpoint: { min: 50, max: 60, step: 1, unit: 'degC' },
    boost: { maxMinutes: 120 },
  },
}
