import type { MeasuredMetric } from '../../metric/catalogue.ts'

export const SPACE_TYPES = [
  'bedroom',
  'studio',
  'livingKitchenDining',
  'office',
  'corridor',
  'plant',
  'other',
] as const

export type SpaceType = (typeof SPACE_TYPES)[number]

export const DEVICE_TYPES = [
  'electricityMeter',
  'gasMeter',
  'waterMeter',
  'heatMeter',
  'multiSensor',
  'thermostat',
  'trv',
  'heater',
  'smartPlug',
  'hotWaterCylinder',
  'airConditioner',
  'solarInverter',
  'occupancySensor',
] as const

export type DeviceType = (typeof DEVICE_TYPES)[number]

export interface Bounds {
  min: number
  max: number
}

/** Bounds for targets that hold on a site whatever its devices could do. */
export interface SitePolicy {
  heating: Bounds
  hotWater: Bounds
}

/** Heating off is a frost hold at the lower bound; hot water stays hot enough to keep legionella out. */
export const DEFAULT_POLICY: SitePolicy = { heating: { min: 7, max: 25 }, hotWater: { min: 50, max: 60 } }

export interface SiteRecord {
  siteUuid: string
  siteName: string
  timeZone: string
  /** What version 1 calls it; null lets the store give one. */
  legacyId: number | null
  latitude: number | null
  longitude: number | null
  postcode: string | null
  sandbox: boolean
  policy: { heating?: Bounds; hotWater?: Bounds }
}

export interface BuildingRecord {
  buildingUuid: string
  buildingName: string
  legacyId: number | null
}

export interface SpaceRecord {
  spaceUuid: string
  spaceName: string
  spaceType: SpaceType
  buildingUuid: string
  floorNumber: number | null
  clusterUuid: string | null
  clusterName: string | null
  areaM2: number | null
  capacity: number | null
  legacyId: number | null
  targets: Partial<Record<MeasuredMetric, { perDay: number }>>
}

export interface MetricSpec {
  kind: 'register' | 'delta' | 'gauge'
  registerSize: number | null
  maxPerHour: number | null
}

export const SCHEDULE_TYPES = ['weekly', 'oneOff', 'override', 'boost', 'resume'] as const

export type ScheduleType = (typeof SCHEDULE_TYPES)[number]

export interface Capabilities {
  schedule?: {
    types: ScheduleType[]
    execution?: 'device' | 'server'
    minuteStep?: number
    maxPeriodsPerDay?: number
  }
  setpoint?: { min: number; max: number; step?: number; unit?: 'degC' }
  power?: boolean
  boost?: { maxMinutes?: number }
}

export interface DeviceRecord {
  deviceUuid: string
  deviceName: string
  deviceType: DeviceType
  spaceUuid: string
  gatewayUuid: string | null
  manufacturer: string | null
  model: string | null
  serialNumber: string | null
  firmwareVersion: string | null
  installedAt: number | null
  metrics: Partial<Record<MeasuredMetric, MetricSpec>>
  capabilities: Capabilities
}

export interface InventoryDevice extends DeviceRecord {
  /** When it came to its space; null: the moment of applying, or always for a device not known before. */
  since: number | null
}

/** One site, whole. */
export interface InventoryDocument {
  site: SiteRecord
  buildings: BuildingRecord[]
  spaces: SpaceRecord[]
  devices: InventoryDevice[]
}

export interface InventoryChanges {
  created: number
  updated: number
  archived: number
  unchanged: number
}

export interface Site {
  siteUuid: string
  siteName: string
  /** IANA name, such as Europe/London. */
  timeZone: string
  sandbox: boolean
}
