import { gauges, type Product } from './product.ts'

const fennick = { deviceType: 'multiSensor', manufacturer: 'Fennick Sense', isWireless: true } as const
const calderhay = { manufacturer: 'Calderhay Controls', isWireless: true } as const

export const LIVING_SENSOR: Product = {
  ...fennick,
  model: 'Atmos 8',
  serialPrefix: 'FA8',
  firmwareVersion: '4.2.0',
  metrics: gauges('temperature', 'humidity', 'co2', 'voc', 'noise', 'light', 'occupancy', 'motion'),
}

export const PARTICLE_SENSOR: Product = {
  ...fennick,
  model: 'Atmos 6 PM',
  serialPrefix: 'FP6',
  firmwareVersion: '4.2.0',
  metrics: gauges('temperature', 'humidity', 'co2', 'pm25', 'noise', 'occupancy'),
}

export const AIR_SENSOR: Product = {
  ...fennick,
  model: 'Atmos 4',
  serialPrefix: 'FA4',
  firmwareVersion: '4.1.3',
  metrics: gauges('temperature', 'humidity', 'co2', 'occupancy'),
}

export const COMFORT_SENSOR: Product = {
  ...fennick,
  model: 'Atmos 3',
  serialPrefix: 'FA3',
  firmwareVersion: '3.8.5',
  metrics: gauges('temperature', 'humidity', 'motion'),
}

export const WEATHER_SENSOR: Product = {
  ...fennick,
  model: 'Vane',
  serialPrefix: 'FV1',
  firmwareVersion: '2.0.1',
  metrics: {
    temperature: { kind: 'gauge', of: 'outdoor' },
    humidity: { kind: 'gauge', of: 'outdoor' },
    pressure: { kind: 'gauge', of: 'outdoor' },
  },
}

export const OCCUPANCY_SENSOR: Product = {
  ...fennick,
  deviceType: 'occupancySensor',
  model: 'Passage',
  serialPrefix: 'FO1',
  firmwareVersion: '1.3.0',
  metrics: gauges('occupancy', 'motion', 'light'),
}

export const RADIATOR_VALVE: Product = {
  ...calderhay,
  deviceType: 'trv',
  model: 'Valvet 2',
  serialPrefix: 'CV2',
  firmwareVersion: '7.3.1',
  metrics: gauges('temperature', 'battery'),
  capabilities: {
    schedule: {
      types: ['weekly', 'oneOff', 'override', 'boost', 'resume'],
      execution: 'device',
      minuteStep: 10,
      maxPeriodsPerDay: 6,
    },
    setpoint: { min: 5, max: 30, step: 0.5, unit: 'degC' },
    boost: { maxMinutes: 240 },
  },
}

export const THERMOSTAT: Product = {
  ...RADIATOR_VALVE,
  deviceType: 'thermostat',
  model: 'Wallet T1',
  serialPrefix: 'CT1',
  firmwareVersion: '7.1.0',
  metrics: gauges('temperature', 'humidity', 'battery'),
}

export const SMART_PLUG: Product = {
  ...calderhay,
  deviceType: 'smartPlug',
  model: 'Socket 13M',
  serialPrefix: 'CS13',
  firmwareVersion: '2.2.4',
  metrics: { electricity: { kind: 'register', maxPerHour: 3 } },
  capabilities: {
    schedule: {
      types: ['weekly', 'oneOff', 'override', 'boost', 'resume'],
      execution: 'server',
      minuteStep: 1,
      maxPeriodsPerDay: 10,
    },
    power: true,
    boost: { maxMinutes: 120 },
  },
}

/** The first model of the plug, which reports the use of each half hour. */
export const INTERVAL_PLUG: Product = {
  ...SMART_PLUG,
  model: 'Socket 13',
  serialPrefix: 'CS11',
  firmwareVersion: '1.9.9',
  metrics: { electricity: { kind: 'delta', maxPerHour: 3 } },
}

export const PANEL_HEATER: Product = {
  ...calderhay,
  deviceType: 'heater',
  model: 'Panel 1000',
  serialPrefix: 'CP10',
  firmwareVersion: '1.1.2',
  metrics: { electricity: { kind: 'register', maxPerHour: 2 } },
  capabilities: {
    schedule: {
      types: ['weekly', 'override', 'boost', 'resume'],
      execution: 'server',
      minuteStep: 5,
      maxPeriodsPerDay: 8,
    },
    setpoint: { min: 7, max: 25, step: 0.5, unit: 'degC' },
    power: true,
    boost: { maxMinutes: 120 },
  },
}

export const AIR_CONDITIONER: Product = {
  ...calderhay,
  deviceType: 'airConditioner',
  model: 'Breeze 35',
  serialPrefix: 'CB35',
  firmwareVersion: '3.0.0',
  metrics: { cooling: { kind: 'register' }, ...gauges('temperature') },
  capabilities: {
    schedule: {
      types: ['weekly', 'oneOff', 'override', 'resume'],
      execution: 'server',
      minuteStep: 5,
      maxPeriodsPerDay: 8,
    },
    setpoint: { min: 16, max: 30, step: 0.5, unit: 'degC' },
    power: true,
    modes: ['heat', 'cool', 'auto', 'fan', 'dry'],
  },
}
