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

/** Bounds for targets on a site, in addition to the limits of its devices. */
export interface SitePolicy {
  heating: Bounds
  cooling: Bounds
  hotWater: Bounds
}

/** Heating that is off keeps the lower bound to prevent frost; hot water stays hot enough to prevent legionella. */
export const DEFAULT_POLICY: SitePolicy = {
  heating: { min: 7, max: 25 },
  cooling: { min: 18, max: 30 },
  hotWater: { min: 50, max: 60 },
}

export interface SiteRecord {
  siteUuid: string
  siteName: string
  timeZone: string
  /** The id in version 1; null lets the store assign one. */
  legacyId: number | null
  latitude: number | null
  longitude: number | null
  postcode: string | null
  sandbox: boolean
  policy: Partial<SitePolicy>
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

/** What a gauge measures. Only `air` is the climate of a space. */
export const MEDIA = ['air', 'water', 'surface', 'outdoor'] as const

export type Medium = (typeof MEDIA)[number]

export interface MetricSpec {
  kind: 'register' | 'delta' | 'gauge'
  registerSize: number | null
  maxPerHour: number | null
  /** Gauges only: how long a reading is valid at most. */
  maxGapMinutes?: number
  /** Gauges only; by default, the medium of the device type. */
  of?: Medium
  /** Deltas only: whether timestamps are the start (the default) or the end of the interval. */
  stamp?: 'start' | 'end'
  /** Deltas only: length of the interval, if it is fixed. */
  stepMinutes?: number
}

/** The medium of a gauge that does not declare one. */
export const getDefaultMedium = (deviceType: DeviceType): Medium =>
  deviceType === 'hotWaterCylinder' ? 'water' : 'air'

/** Whether a metric of a device counts in the series of its space. Only gauges of the air are the space's climate. */
export const countsInSpace = (deviceType: DeviceType, { kind, of }: MetricSpec): boolean =>
  kind !== 'gauge' || (of ?? getDefaultMedium(deviceType)) === 'air'

export const SCHEDULE_TYPES = ['weekly', 'oneOff', 'override', 'boost', 'resume'] as const

export type ScheduleType = (typeof SCHEDULE_TYPES)[number]

export const MODES = ['heat', 'cool', 'auto', 'fan', 'dry', 'off'] as const

/** Operating mode of an air conditioner. */
export type Mode = (typeof MODES)[number]

export interface Capabilities {
  schedule?: {
    types: ScheduleType[]
    execution?: 'device' | 'server'
    minuteStep?: number
    maxPeriodsPerDay?: number
  }
  setpoint?: { min: number; max: number; step?: number; unit?: 'degC' }
  power?: boolean
  modes?: Mode[]
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
  /** The device whose meter also measures everything that this one measures. */
  submeterOf?: string
  metrics: Partial<Record<MeasuredMetric, MetricSpec>>
  capabilities: Capabilities
}

export interface InventoryDevice extends DeviceRecord {
  /** When it was placed in its space; null means when the document is applied or, for a new device, always. */
  since: number | null
}

/** The complete inventory of one site. */
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
