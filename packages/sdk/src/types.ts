// Made from the OpenAPI document /openapi/v2.json by scripts/write-sdk-types.ts.

/** A value of an enumeration to which later versions of the server may add. */
export type Open<T extends string> = T | (string & {})

/** A site that was granted to you. */
export interface Site {
  /** The identifier of the site: the value of the SiteId header. */
  siteUuid: string
  /** The name of the site. */
  siteName: string
  /** IANA name; the days and hours of the site follow this time zone. */
  timeZone: string
  /** Whether the site is for testing, with simulated devices. */
  sandbox: boolean
}

/** A secret of a partner, without its value. */
export interface Secret {
  /** The identifier of the secret; not its value. */
  secretId: string
  /** The first four characters of the value. */
  hint: string
  /** When it was added. */
  createdAt: string
  /** When it expires. */
  expiresAt: string
  /** When a token was last issued for it; null if never. */
  lastUsedAt: string | null
}

/** The roles, sites, secrets and limits of the caller. */
export interface Account {
  /** The partner that the token belongs to. */
  partnerUuid: string
  /** The name of the partner. */
  name: string
  /** The client_id of token requests. */
  clientId: string
  /** The roles granted to the partner. */
  roles: string[]
  /** The sites granted to the partner, by name. */
  sites: Site[]
  /** The client secrets of the partner, without their values. Renew a secret before it expires. */
  secrets: Secret[]
  /** The limits that apply to the partner. */
  rateLimits: {
    /** Requests per minute and site. */
    perMinute: number
    /** Requests per five minutes and site. */
    per5Minutes: number
    /** The remaining requests for each of the first 20 sites; absent if the server does not limit requests. */
    remaining?: Array<{
      /** The site. */
      siteUuid: string
      /** Left of `perMinute`. */
      perMinute: number
      /** Left of `per5Minutes`. */
      per5Minutes: number
    }>
  }
  /** The number of webhooks in each state. Only with the role Webhooks.Manage. */
  webhooks?: {
    /** Webhooks that receive events. */
    enabled: number
    /** Webhooks whose endpoint is failing; their events wait. */
    failing: number
    /** Webhooks that were disabled and have to be enabled again. */
    disabled: number
  }
  /** The version of this API. */
  apiVersion: string
  /** The version of the server. */
  serverVersion: string
}

/** A field that is invalid, and why. */
export interface FieldError {
  /** The invalid field; nested fields are separated by dots. */
  field: string
  /** Stable, in kebab-case; the page /errors of this server lists all of them. */
  code: string
  /** What is wrong and what is allowed. */
  message: string
}

/** Problem details (RFC 9457) */
export interface Problem {
  /** A page of this server that explains the error. */
  type: string
  /** The name of the error. */
  title: string
  /** The HTTP status. */
  status: number
  /** What is wrong with this request. */
  detail: string
  /** The path of the request. */
  instance: string
  /** Also in the X-Request-Id header and in the log. */
  traceId: string
  /** The invalid fields; empty if the error is not about particular fields. */
  errors: FieldError[]
}

/** Where the next page starts. */
export interface Pagination {
  /** Send it as cursor to get the next page; null on the last page. */
  nextCursor: string | null
  /** Whether there are more pages. */
  hasMore: boolean
}

/** A list of Site records, or one page of it. */
export interface SitePage {
  /** The records of the page. */
  data: Site[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The name of a metric. GET /metric-types lists them with their units. */
export type MetricName = 'electricity' | 'gas' | 'water' | 'hotwater' | 'heating' | 'cooling' | 'solar' | 'temperature' | 'humidity' | 'co2' | 'voc' | 'pm25' | 'noise' | 'light' | 'pressure' | 'occupancy' | 'motion' | 'carbon' | 'performance'

/** A metric and what is known about it. */
export interface MetricType {
  /** The name of the metric, as in paths and filters. */
  metricType: Open<MetricName>
  /** The unit of the values. */
  unit: string
  /** utility: consumption; environment: climate and occupancy; derived: computed from others. */
  group: Open<'utility' | 'environment' | 'derived'>
  /** How the value of a window is computed: the sum, the mean, or a score from 0 to 100. */
  aggregation: Open<'sum' | 'mean' | 'score'>
  /** What is measured. */
  description: string
  /** Class of Brick 1.4; null if it has none for the metric. */
  brickClass: string | null
  /** Tags of Project Haystack. */
  haystackTags: string[]
}

/** A list of MetricType records, or one page of it. */
export interface MetricTypePage {
  /** The records of the page. */
  data: MetricType[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** An identifier of version 1 and that of version 2. */
export interface IdMapEntry {
  /** What the identifiers belong to. */
  type: Open<'site' | 'building' | 'space'>
  /** The siteId, buildingId or spaceId of version 1. */
  id: number
  /** The siteUuid, buildingUuid or spaceUuid of version 2. */
  uuid: string
  /** The name of the site, building or space. */
  name: string
}

/** A list of IdMapEntry records, or one page of it. */
export interface IdMapEntryPage {
  /** The records of the page. */
  data: IdMapEntry[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** Your calls to an endpoint of version 1. */
export interface V1Usage {
  /** The method of the endpoint. */
  method: 'GET'
  /** Path below the base address of version 1. */
  path: string
  /** Version 2 has it, will have it, or never will. */
  state: Open<'replaced' | 'awaiting-v2' | 'retiring'>
  /** Path that replaces it, below the base address of version 2; null if there is none. */
  replacement: string | null
  /** All calls, whatever their status. */
  calls: number
  /** Time of the last call; null if never called. */
  lastSeenAt: string | null
  /** When it was deprecated; null if it is not. */
  deprecatedAt: string | null
  /** When it ends, or ended: from then on it returns 410. Null if no date is set. */
  sunsetAt: string | null
}

/** A list of V1Usage records, or one page of it. */
export interface V1UsagePage {
  /** The records of the page. */
  data: V1Usage[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** What a space is used for. */
export type SpaceType = 'bedroom' | 'studio' | 'livingKitchenDining' | 'office' | 'corridor' | 'plant' | 'other'

/** A room or another part of a building. */
export interface Space {
  /** The identifier of the space. */
  spaceUuid: string
  /** The name of the space. */
  spaceName: string
  /** What the space is used for. */
  spaceType: Open<SpaceType>
  /** The site of the space. */
  siteUuid: string
  /** The building of the space. */
  buildingUuid: string
  /** The name of the building. */
  buildingName: string
  /** The floor; 0 is the ground floor, null if unknown. */
  floorNumber: number | null
  /** The cluster, such as a flat, that the space is part of; or null. */
  clusterUuid: string | null
  /** The name of the cluster; null without a cluster. */
  clusterName: string | null
  /** The floor area in square metres; null if unknown. */
  areaM2: number | null
  /** The number of people that the space is designed for; null if unknown. */
  capacity: number | null
  /** IANA name of the site’s time zone. */
  timeZone: string
  /** Metrics measured by devices in the space itself. */
  metricTypes: Array<Open<MetricName>>
  /** Number of devices in the space. */
  deviceCount: number
}

/** A list of Space records, or one page of it. */
export interface SpacePage {
  /** The records of the page. */
  data: Space[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The consumption of one utility today, yesterday and this month. */
export interface UtilityOverview {
  /** The utility. */
  metricType: Open<MetricName>
  /** The unit of the values. */
  unit: string
  /** Consumption since midnight; null without data. */
  today: number | null
  /** Consumption of the whole day before; null without data. */
  yesterday: number | null
  /** Consumption of the month so far; null without data. */
  monthToDate: number | null
  /** Local time of the latest reading; null if there is none. */
  lastUpdated: string | null
}

/** The newest reading of a climate metric in a space. */
export interface EnvironmentOverview {
  /** The climate metric. */
  metricType: Open<MetricName>
  /** The unit of the value. */
  unit: string
  /** The latest value; null if there is none. */
  value: number | null
  /** Local time of the value; null if there is none. */
  timestamp: string | null
  /** Older than two hours. */
  stale: boolean
}

/** What a device is. */
export type DeviceType = 'electricityMeter' | 'gasMeter' | 'waterMeter' | 'heatMeter' | 'multiSensor' | 'thermostat' | 'trv' | 'heater' | 'smartPlug' | 'hotWaterCylinder' | 'airConditioner' | 'solarInverter' | 'occupancySensor'

/** A device in the space. */
export interface SpaceDevice {
  /** The identifier of the device. */
  deviceUuid: string
  /** What the device is. */
  deviceType: Open<DeviceType>
  /** online: reported by the device or its gateway, or a reading within two hours; without a gateway and presence, a reading within two hours or four times the usual time between two; unknown: never seen. */
  status: Open<'online' | 'offline' | 'unknown'>
}

/** A space with its consumption, climate and devices. */
export interface SpaceOverview {
  /** The identifier of the space. */
  spaceUuid: string
  /** The name of the space. */
  spaceName: string
  /** What the space is used for. */
  spaceType: Open<SpaceType>
  /** The site of the space. */
  siteUuid: string
  /** The building of the space. */
  buildingUuid: string
  /** The name of the building. */
  buildingName: string
  /** The floor; 0 is the ground floor, null if unknown. */
  floorNumber: number | null
  /** The cluster, such as a flat, that the space is part of; or null. */
  clusterUuid: string | null
  /** The name of the cluster; null without a cluster. */
  clusterName: string | null
  /** The floor area in square metres; null if unknown. */
  areaM2: number | null
  /** The number of people that the space is designed for; null if unknown. */
  capacity: number | null
  /** IANA name of the site’s time zone. */
  timeZone: string
  /** Metrics measured by devices in the space itself. */
  metricTypes: Array<Open<MetricName>>
  /** Number of devices in the space. */
  deviceCount: number
  /** The scope of utilities: the cluster if the space is part of one. */
  consumptionScope: Open<'space' | 'cluster'>
  /** Consumption of the space or its cluster, one entry for each utility. */
  utilities: UtilityOverview[]
  /** The current climate, one entry for each metric. */
  environment: EnvironmentOverview[]
  /** People present now; null if it is not measured. */
  occupancy: number | null
  /** The devices in the space. */
  devices: SpaceDevice[]
}

/** One window of a series. */
export interface Point {
  /** Start of the window, in the site’s local time. */
  timestamp: string
  /** The value of the window; null without data, never 0. */
  value: number | null
  /** The lowest reading; metrics with a mean only. */
  min?: number
  /** The highest reading; metrics with a mean only. */
  max?: number
  /** The quality of the value. */
  quality: Open<'measured' | 'estimated' | 'partial' | 'suspect' | 'missing'>
  /** Share of the window that is covered by data. */
  coverage: number
  /** Performance: the score of each utility. Carbon: the emissions of each utility that was measured, which add up to the value. */
  components?: Record<string, number>
}

/** What the range is compared with. */
export interface Comparison {
  /** What the range is compared with; null if there is no base. */
  value: number | null
  /** Change relative to value in percent; null if it cannot be computed. */
  changePercent: number | null
  /** siteAverage only: the share of spaces that this one is at or above. */
  percentile?: number | null
  /** Share of the base that is covered by data. Below 0.9, changePercent and percentile are null. */
  coverage: number
}

/** The range as a whole. */
export interface Summary {
  /** The sum of all windows; metrics with a sum only. */
  total?: number | null
  /** The part of the total that is in suspect windows; absent if it is 0. */
  suspectTotal?: number
  /** The mean of all windows; metrics with a mean or score only. */
  mean?: number | null
  /** The lowest value; null without data. */
  min: number | null
  /** The highest value; null without data. */
  max: number | null
  /** Carbon only: the emissions of each utility that was measured, which add up to the total. */
  components?: Record<string, number>
  /** Present if compareTo is given. */
  comparison?: Comparison
}

/** A metric of a space over time. */
export interface SpaceSeries {
  /** The identifier of the space. */
  spaceUuid: string
  /** Whether it is the series of the cluster. */
  scope: Open<'space' | 'cluster'>
  /** The metric of the series. */
  metricType: Open<MetricName>
  /** The unit of the values. */
  unit: string
  /** How the value of a window is computed. */
  aggregation: Open<'sum' | 'mean' | 'score'>
  /** hourly: up to an hour; daily: a day or more. */
  granularity: Open<'hourly' | 'daily'>
  /** The length of a window, as an ISO 8601 duration. */
  interval: Open<'PT15M' | 'PT30M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M'>
  /** IANA name of the time zone that windows follow. */
  timeZone: string
  /** Start of the range, extended to a whole window. */
  fromDateTime: string
  /** End of the range, exclusive. */
  toDateTime: string
  /** Whether any window has a value. */
  hasData: boolean
  /** Carbon only: whether some of the carbon intensity is synthetic, because no source was available. */
  isSynthetic?: boolean
  /** Every window of the range; without data, the value is null and the quality missing, never 0. */
  timeSeries: Point[]
  /** The range as a whole. */
  summary: Summary
}

/** What a device can do. */
export interface Capabilities {
  /** Absent if it accepts no commands. */
  schedule?: {
    /** The types of commands that it accepts. */
    types: Array<Open<'weekly' | 'oneOff' | 'override' | 'boost' | 'resume'>>
    /** Whether the device holds the plan, or the server sends each target. */
    execution?: Open<'device' | 'server'>
    /** Times of a plan are multiples of this many minutes. */
    minuteStep?: number
    /** Maximum number of periods in a day of a plan. */
    maxPeriodsPerDay?: number
  }
  /** The temperatures that can be set; absent if there are none. */
  setpoint?: {
    /** The lowest temperature. */
    min: number
    /** The highest temperature. */
    max: number
    /** Temperatures are multiples of this. */
    step?: number
    /** The unit. */
    unit?: 'degC'
  }
  /** Whether the device can be switched on and off. */
  power?: boolean
  /** Modes that a target can set. */
  modes?: Array<Open<'heat' | 'cool' | 'auto' | 'fan' | 'dry' | 'off'>>
  /** Limits of boosts. */
  boost?: {
    /** The longest boost in minutes. */
    maxMinutes?: number
  }
}

/** What a target may contain now: the capabilities of the device within the policy of the site. */
export interface Effective {
  /** The temperatures that a target may have; null if it may have none. */
  setpoint: {
    /** The lowest temperature in degC. */
    min: number
    /** The highest temperature in degC. */
    max: number
    /** Temperatures are multiples of this. */
    step: number
  } | null
  /** The temperatures that a target with a mode may have: heating and cooling have different policies. Modes that the device does not have are absent. */
  setpointByMode: {
    /** degC, for a target with mode heat. */
    heat?: {
      /** The lowest temperature in degC. */
      min: number
      /** The highest temperature in degC. */
      max: number
      /** Temperatures are multiples of this. */
      step: number
    }
    /** degC, for a target with mode cool. */
    cool?: {
      /** The lowest temperature in degC. */
      min: number
      /** The highest temperature in degC. */
      max: number
      /** Temperatures are multiples of this. */
      step: number
    }
    /** degC, for a target with mode auto. */
    auto?: {
      /** The lowest temperature in degC. */
      min: number
      /** The highest temperature in degC. */
      max: number
      /** Temperatures are multiples of this. */
      step: number
    }
    /** degC, for a target with mode fan. */
    fan?: {
      /** The lowest temperature in degC. */
      min: number
      /** The highest temperature in degC. */
      max: number
      /** Temperatures are multiples of this. */
      step: number
    }
    /** degC, for a target with mode dry. */
    dry?: {
      /** The lowest temperature in degC. */
      min: number
      /** The highest temperature in degC. */
      max: number
      /** Temperatures are multiples of this. */
      step: number
    }
  }
  /** The modes that a target may have. */
  modes: Array<Open<'heat' | 'cool' | 'auto' | 'fan' | 'dry' | 'off'>>
  /** Whether a target may have power. */
  power: boolean
}

/** A state that needs attention. */
export interface Warning {
  /** offline: see status; low-battery: below 15 %; stale: no reading of a metric for four times the usual time between two; rejecting: the device rejected its last command; suspect-readings: implausible readings on one of the last seven days. */
  code: Open<'offline' | 'low-battery' | 'stale' | 'rejecting' | 'suspect-readings'>
  /** When the state began. */
  since: string
  /** The state in words. */
  message: string
}

/** A meter, sensor, valve or other device. */
export interface Device {
  /** The identifier of the device. */
  deviceUuid: string
  /** The name of the device. */
  deviceName: string
  /** What the device is. */
  deviceType: Open<DeviceType>
  /** The manufacturer; null if unknown. */
  manufacturer: string | null
  /** The model; null if unknown. */
  model: string | null
  /** The serial number; null if unknown. */
  serialNumber: string | null
  /** The site of the device. */
  siteUuid: string
  /** The building of its space. */
  buildingUuid: string
  /** The floor of its space; null if unknown. */
  floorNumber: number | null
  /** The space in which it is installed. */
  spaceUuid: string
  /** The name of that space. */
  spaceName: string
  /** The cluster of its space; or null. */
  clusterUuid: string | null
  /** The device whose meter also measures what this one measures. Sums over both count only that one. */
  submeterOf: string | null
  /** What the device measures. */
  metricTypes: Array<Open<MetricName>>
  /** Whether it accepts commands. */
  controllable: boolean
  /** What the device can do, as declared in the inventory. */
  capabilities: Capabilities
  /** What a target may contain now. */
  effective: Effective
  /** online: reported by the device or its gateway, or a reading within two hours; without a gateway and presence, a reading within two hours or four times the usual time between two; unknown: never seen. */
  status: Open<'online' | 'offline' | 'unknown'>
  /** Time of the last reading or presence; null if never seen. */
  lastSeenAt: string | null
  /** The latest reading of the battery; null if it has none. */
  batteryPercent: number | null
  /** What needs attention; empty if there is nothing to report. */
  warnings: Warning[]
  /** The version of its firmware; null if unknown. */
  firmwareVersion: string | null
  /** When it was installed; null if unknown. */
  installedAt: string | null
}

/** A list of Device records, or one page of it. */
export interface DevicePage {
  /** The records of the page. */
  data: Device[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A metric of a device in windows. */
export interface DeviceWindows {
  /** The identifier of the device. */
  deviceUuid: string
  /** The metric of the series. */
  metricType: Open<MetricName>
  /** The unit of the values. */
  unit: string
  /** How the value of a window is computed. */
  aggregation: Open<'sum' | 'mean' | 'score'>
  /** hourly: up to an hour; daily: a day or more. */
  granularity: Open<'hourly' | 'daily'>
  /** The length of a window, as an ISO 8601 duration. */
  interval: Open<'PT15M' | 'PT30M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M'>
  /** IANA name of the time zone that windows follow. */
  timeZone: string
  /** Start of the range, extended to a whole window. */
  fromDateTime: string
  /** End of the range, exclusive. */
  toDateTime: string
  /** Whether any window has a value. */
  hasData: boolean
  /** Carbon only: whether some of the carbon intensity is synthetic, because no source was available. */
  isSynthetic?: boolean
  /** Every window of the range; without data, the value is null and the quality missing, never 0. */
  timeSeries: Point[]
  /** The range as a whole. */
  summary: Summary
}

/** A value of the device at one instant. */
export interface Reading {
  /** Time of the reading. */
  timestamp: string
  /** The value that the device reported. */
  value: number
}

/** The readings of a device. */
export interface DeviceReadings {
  /** The identifier of the device. */
  deviceUuid: string
  /** The metric of the series. */
  metricType: Open<MetricName>
  /** The unit of the values. */
  unit: string
  /** How the value of a window is computed. */
  aggregation: Open<'sum' | 'mean' | 'score'>
  /** The readings themselves. */
  granularity: 'raw'
  /** The readings themselves. */
  interval: 'raw'
  /** IANA name of the time zone that windows follow. */
  timeZone: string
  /** Start of the range, extended to a whole window. */
  fromDateTime: string
  /** End of the range, exclusive. */
  toDateTime: string
  /** Whether any window has a value. */
  hasData: boolean
  /** The readings, oldest first. */
  timeSeries: Reading[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** Windows, or readings if granularity is raw. */
export type DeviceSeries = DeviceWindows | DeviceReadings

/** The time of a device in a space. */
export interface DevicePlacement {
  /** The space. */
  spaceUuid: string
  /** Its name. */
  spaceName: string
  /** Start; null for the first space, if the inventory does not state since when the device has been there. */
  fromDateTime: string | null
  /** End, exclusive; null if the device is still there. */
  toDateTime: string | null
}

/** A list of DevicePlacement records, or one page of it. */
export interface DevicePlacementPage {
  /** The records of the page. */
  data: DevicePlacement[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A message of a device that was rejected entirely or in part. */
export interface DeviceRejection {
  /** When the message arrived. */
  timestamp: string
  /** The topic of the message. */
  topic: string
  /** A code such as not-json. */
  reason: string
  /** What is wrong; if a message was rejected in part, also how many of its records. */
  message: string
}

/** A list of DeviceRejection records, or one page of it. */
export interface DeviceRejectionPage {
  /** The records of the page. */
  data: DeviceRejection[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A series of a space, cluster, building or site, one array per quantity. */
export interface SpaceColumns {
  /** The space, with groupBy=space. */
  spaceUuid?: string
  /** The cluster, with groupBy=cluster. */
  clusterUuid?: string
  /** The building, with groupBy=building. */
  buildingUuid?: string
  /** The site, with groupBy=site. */
  siteUuid?: string
  /** The metric of the series. */
  metricType: Open<MetricName>
  /** The unit of the values. */
  unit: string
  /** How the readings of a window become one value. */
  aggregation: Open<'sum' | 'mean' | 'score'>
  /** Whether any window has a value. */
  hasData: boolean
  /** Carbon only: whether some of the carbon intensity is synthetic. */
  isSynthetic?: boolean
  /** The value of each window; null without data, never 0. */
  values: Array<number | null>
  /** Climate only: the lowest reading of each window. */
  min?: Array<number | null>
  /** Climate only: the highest reading of each window. */
  max?: Array<number | null>
  /** The quality of the value of each window. */
  quality: Array<Open<'measured' | 'estimated' | 'partial' | 'suspect' | 'missing'>>
  /** The share of each window that is covered by data. */
  coverage: number[]
  /** Performance: the scores of each utility. Carbon: the emissions of each utility that was measured. */
  components?: Array<Record<string, number> | null>
  /** The range as a whole. */
  summary: Summary
}

/** Many series over the same windows. */
export interface SpaceSeriesBatch {
  /** hourly: windows of up to an hour; daily: of days, weeks or months. */
  granularity: Open<'hourly' | 'daily'>
  /** The length of the windows. */
  interval: Open<'PT15M' | 'PT30M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M'>
  /** The time zone of the site. */
  timeZone: string
  /** The start of the first window. */
  fromDateTime: string
  /** The end of the last window. */
  toDateTime: string
  /** What each series is for. */
  groupBy: Open<'space' | 'cluster' | 'building' | 'site'>
  /** The start of each window; the columns of every series follow it. */
  timestamps: string[]
  /** By identifier, then in the order of metricTypes. */
  series: SpaceColumns[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A series of a device, one array per quantity. */
export interface DeviceColumns {
  /** The device. */
  deviceUuid: string
  /** The metric of the series. */
  metricType: Open<MetricName>
  /** The unit of the values. */
  unit: string
  /** How the readings of a window become one value. */
  aggregation: Open<'sum' | 'mean' | 'score'>
  /** Whether any window has a value. */
  hasData: boolean
  /** Carbon only: whether some of the carbon intensity is synthetic. */
  isSynthetic?: boolean
  /** The value of each window; null without data, never 0. */
  values: Array<number | null>
  /** Climate only: the lowest reading of each window. */
  min?: Array<number | null>
  /** Climate only: the highest reading of each window. */
  max?: Array<number | null>
  /** The quality of the value of each window. */
  quality: Array<Open<'measured' | 'estimated' | 'partial' | 'suspect' | 'missing'>>
  /** The share of each window that is covered by data. */
  coverage: number[]
  /** Performance: the scores of each utility. Carbon: the emissions of each utility that was measured. */
  components?: Array<Record<string, number> | null>
  /** The range as a whole. */
  summary: Summary
}

/** Many series over the same windows. */
export interface DeviceSeriesBatch {
  /** hourly: windows of up to an hour; daily: of days, weeks or months. */
  granularity: Open<'hourly' | 'daily'>
  /** The length of the windows. */
  interval: Open<'PT15M' | 'PT30M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M'>
  /** The time zone of the site. */
  timeZone: string
  /** The start of the first window. */
  fromDateTime: string
  /** The end of the last window. */
  toDateTime: string
  /** The start of each window; the columns of every series follow it. */
  timestamps: string[]
  /** By device, then in the order of metricTypes. */
  series: DeviceColumns[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The newest reading of a metric. */
export interface LatestValue {
  /** The metric. */
  metricType: Open<MetricName>
  /** The unit of the value. */
  unit: string
  /** The newest reading; null if there is none. */
  value: number | null
  /** The time of the reading, in the site’s local time. */
  timestamp: string | null
  /** Whether it is older than two hours. */
  stale: boolean
}

/** The current climate of a space. */
export interface LatestValues {
  /** The space. */
  spaceUuid: string
  /** One entry for each of the metrics that the space measures. */
  environment: LatestValue[]
  /** People present now; null if it is not known. */
  occupancy: number | null
}

/** A list of LatestValues records, or one page of it. */
export interface LatestValuesPage {
  /** The records of the page. */
  data: LatestValues[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The desired state of the device. The field effective of a device shows what is accepted. */
export interface Target {
  /** The setpoint in degC. */
  temperature?: number
  /** Switches the device on or off. */
  power?: 'on' | 'off'
  /** The operating mode of an air conditioner. */
  mode?: 'heat' | 'cool' | 'auto' | 'fan' | 'dry' | 'off'
}

/** A period of the week with its target. */
export interface WeeklyPeriod {
  /** The days on which the period starts. */
  days: Array<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>
  /** When the period starts: HH:MM. */
  start: string
  /** When the period ends: HH:MM or 24:00; on the next day if it is not after start. */
  end: string
  /** The target of the period. */
  target: Target
}

/** A plan that repeats every week. */
export interface WeeklySchedule {
  /** The type of the command. */
  type: 'weekly'
  /** The target outside of all periods. */
  default: Target
  /** Periods with another target. They may not overlap. */
  periods: WeeklyPeriod[]
  /** IANA name, case-insensitive; offsets are not accepted. The site’s time zone if absent. */
  timeZone?: string
  /** When to give up if the device has not confirmed, at most 24 hours ahead. ISO 8601 time; without an offset, in the time zone of the command. */
  expiresAt?: string
  /** Fail immediately if the device is offline, instead of waiting for it. */
  failIfOffline?: boolean
  /** A text of your choice, returned with the command. It must not contain the character U+0000. */
  clientReference?: string
}

/** One period with another target. */
export interface OneOffSchedule {
  /** The type of the command. */
  type: 'oneOff'
  /** When it starts. ISO 8601 time; without an offset, in the time zone of the command. */
  startsAt: string
  /** When it ends. ISO 8601 time; without an offset, in the time zone of the command. */
  endsAt: string
  /** The target of the period. */
  target: Target
  /** IANA name, case-insensitive; offsets are not accepted. The site’s time zone if absent. */
  timeZone?: string
  /** When to give up if the device has not confirmed, at most 24 hours ahead. ISO 8601 time; without an offset, in the time zone of the command. */
  expiresAt?: string
  /** Fail immediately if the device is offline, instead of waiting for it. */
  failIfOffline?: boolean
  /** A text of your choice, returned with the command. It must not contain the character U+0000. */
  clientReference?: string
}

/** Another target from now on, until the given end: exactly one of four fields. */
export interface OverrideSchedule {
  /** The type of the command. */
  type: 'override'
  /** The target until the end. */
  target: Target
  /** Ends at this time. ISO 8601 time; without an offset, in the time zone of the command. */
  until?: string
  /** Ends after this many minutes. */
  durationMinutes?: number
  /** Ends when the next period of the weekly plan starts or ends. */
  untilNextPeriod?: true
  /** Ends with the next command only. */
  permanent?: true
  /** IANA name, case-insensitive; offsets are not accepted. The site’s time zone if absent. */
  timeZone?: string
  /** When to give up if the device has not confirmed, at most 24 hours ahead. ISO 8601 time; without an offset, in the time zone of the command. */
  expiresAt?: string
  /** Fail immediately if the device is offline, instead of waiting for it. */
  failIfOffline?: boolean
  /** A text of your choice, returned with the command. It must not contain the character U+0000. */
  clientReference?: string
}

/** The highest output of the device, for a limited time. */
export interface BoostSchedule {
  /** The type of the command. */
  type: 'boost'
  /** Length of the boost. */
  durationMinutes: number
  /** The target instead of the highest or lowest temperature. */
  target?: Target
  /** IANA name, case-insensitive; offsets are not accepted. The site’s time zone if absent. */
  timeZone?: string
  /** When to give up if the device has not confirmed, at most 24 hours ahead. ISO 8601 time; without an offset, in the time zone of the command. */
  expiresAt?: string
  /** Fail immediately if the device is offline, instead of waiting for it. */
  failIfOffline?: boolean
  /** A text of your choice, returned with the command. It must not contain the character U+0000. */
  clientReference?: string
}

/** Ends overrides and boosts. */
export interface ResumeSchedule {
  /** The type of the command. */
  type: 'resume'
  /** IANA name, case-insensitive; offsets are not accepted. The site’s time zone if absent. */
  timeZone?: string
  /** When to give up if the device has not confirmed, at most 24 hours ahead. ISO 8601 time; without an offset, in the time zone of the command. */
  expiresAt?: string
  /** Fail immediately if the device is offline, instead of waiting for it. */
  failIfOffline?: boolean
  /** A text of your choice, returned with the command. It must not contain the character U+0000. */
  clientReference?: string
}

/** A command to a device; type determines its kind. */
export type ScheduleBody = WeeklySchedule | OneOffSchedule | OverrideSchedule | BoostSchedule | ResumeSchedule

/** A command and what became of it. */
export interface Command {
  /** The identifier of the command. */
  commandUuid: string
  /** The device of the command. */
  deviceUuid: string
  /** The type of the command. */
  type: Open<'weekly' | 'oneOff' | 'override' | 'boost' | 'resume'>
  /** PENDING: stored; SENT: on its way; DELIVERED: received by the device; CONFIRMED: in effect. CONFIRMED, FAILED, EXPIRED and CANCELLED are final. */
  state: Open<'PENDING' | 'SENT' | 'DELIVERED' | 'CONFIRMED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'>
  /** When it was accepted. */
  createdAt: string
  /** When its state last changed. */
  updatedAt: string
  /** When it expires unless it is confirmed before. */
  expiresAt: string
  /** When it reached a final state; null until then. */
  completedAt: string | null
  /** Why it failed or was cancelled; null otherwise. */
  failureReason: {
    /** A code such as DEVICE_OFFLINE, DEVICE_REJECTED or SUPERSEDED. */
    code: string
    /** The reason in words. */
    message: string
  } | null
  /** The clientReference of the request; null if it had none. */
  clientReference: string | null
  /** The body of the request. */
  schedule: ScheduleBody
}

/** A list of Command records, or one page of it. */
export interface CommandPage {
  /** The records of the page. */
  data: Command[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A target and its end. */
export interface CurrentTarget {
  /** The target in effect; null if none is known. */
  target: Target | null
  /** Where the target comes from. */
  source: Open<'override' | 'boost' | 'oneOff' | 'weekly' | 'default' | 'none'>
  /** When the target ends; null if it has no end. */
  until: string | null
}

/** What a device does now and next. */
export interface DeviceSchedule {
  /** The identifier of the device. */
  deviceUuid: string
  /** Time zone of the site. */
  timeZone: string
  /** The weekly schedule that the device confirmed last; null if there is none. */
  plan: WeeklySchedule | null
  /** The target in effect. */
  now: CurrentTarget
  /** The next change of the target; null if there is none. */
  next: {
    /** When the target changes. */
    at: string
    /** The target from then on; null if none is known. */
    target: Target | null
  } | null
  /** Commands that have not ended, oldest first. */
  pending: Command[]
}

/** A type of event with its JSON Schema and an example. */
export interface EventType {
  /** The name of the type. */
  type: string
  /** Changes when a field changes its meaning. */
  version: number
  /** When such an event occurs. */
  description: string
  /** The role that is required to see such events, besides Events.Read; null if there is none. */
  requiredRole: string | null
  /** JSON Schema of such an event. */
  schema: Record<string, unknown>
  /** An event of this type. */
  example: Record<string, unknown>
}

/** A list of EventType records, or one page of it. */
export interface EventTypePage {
  /** The records of the page. */
  data: EventType[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A command that has changed its state. */
export interface CommandUpdatedData {
  /** The state before; null for a new command. */
  previousState: Open<'PENDING' | 'SENT' | 'DELIVERED' | 'CONFIRMED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'> | null
  /** The command as it is now, as GET /devices/{deviceuuid}/commands/{commandUuid} returns it. */
  command: Command
}

/** A command entered a state, PENDING included. */
export interface CommandUpdatedEvent {
  /** The identifier of the event, the same however it is read. */
  eventUuid: string
  /** The type of the event. */
  type: 'command.updated'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it happened. */
  timestamp: string
  /** The site of the event. */
  siteUuid: string
  /** The position in the log of the site. The numbers of a site have no gaps. */
  number: number
  /** The device; null if the event concerns none. */
  deviceUuid: string | null
  /** The space, or the space of the device; null if there is none. */
  spaceUuid: string | null
  /** What happened. */
  data: CommandUpdatedData
}

/** A device and its new status. */
export interface DeviceStatusData {
  /** The name of the device. */
  deviceName: string
  /** The type of the device. */
  deviceType: Open<DeviceType>
  /** The name of its space. */
  spaceName: string
  /** The status that GET /devices shows. It has been the same for 30 seconds. */
  status: Open<'online' | 'offline'>
  /** Since when the device has this status. */
  since: string
  /** Why it is offline: presence (it reported so), gateway (its gateway is offline) or silent (it has sent nothing for too long); null if it is online. */
  reason: Open<'presence' | 'gateway' | 'silent'> | null
  /** Its gateway; null if it has none. */
  gatewayUuid: string | null
}

/** A device has come online and stayed online for 30 seconds. */
export interface DeviceOnlineEvent {
  /** The identifier of the event, the same however it is read. */
  eventUuid: string
  /** The type of the event. */
  type: 'device.online'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it happened. */
  timestamp: string
  /** The site of the event. */
  siteUuid: string
  /** The position in the log of the site. The numbers of a site have no gaps. */
  number: number
  /** The device; null if the event concerns none. */
  deviceUuid: string | null
  /** The space, or the space of the device; null if there is none. */
  spaceUuid: string | null
  /** What happened. */
  data: DeviceStatusData
}

/** A device has gone offline and stayed offline for 30 seconds. */
export interface DeviceOfflineEvent {
  /** The identifier of the event, the same however it is read. */
  eventUuid: string
  /** The type of the event. */
  type: 'device.offline'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it happened. */
  timestamp: string
  /** The site of the event. */
  siteUuid: string
  /** The position in the log of the site. The numbers of a site have no gaps. */
  number: number
  /** The device; null if the event concerns none. */
  deviceUuid: string | null
  /** The space, or the space of the device; null if there is none. */
  spaceUuid: string | null
  /** What happened. */
  data: DeviceStatusData
}

/** What an inventory document changed. */
export interface InventoryChangedData {
  /** Number of records created. */
  created: number
  /** Number of records changed. */
  updated: number
  /** Number of records archived. */
  archived: number
  /** The version of the inventory after the change. */
  version: number
  /** Spaces that were created, changed or archived, at most 100. */
  spaceUuids: string[]
  /** Devices that were created, changed or archived, at most 100. */
  deviceUuids: string[]
  /** Whether both lists are complete. */
  isComplete: boolean
}

/** An inventory document was applied and changed something. */
export interface InventoryChangedEvent {
  /** The identifier of the event, the same however it is read. */
  eventUuid: string
  /** The type of the event. */
  type: 'inventory.changed'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it happened. */
  timestamp: string
  /** The site of the event. */
  siteUuid: string
  /** The position in the log of the site. The numbers of a site have no gaps. */
  number: number
  /** The device; null if the event concerns none. */
  deviceUuid: string | null
  /** The space, or the space of the device; null if there is none. */
  spaceUuid: string | null
  /** What happened. */
  data: InventoryChangedData
}

/** A device and the charge of its battery. */
export interface BatteryLowData {
  /** The name of the device. */
  deviceName: string
  /** The type of the device. */
  deviceType: Open<DeviceType>
  /** The name of its space. */
  spaceName: string
  /** The charge of its battery. */
  percent: number
  /** The time of that reading. */
  since: string
  /** Its gateway; null if it has none. */
  gatewayUuid: string | null
}

/** The battery of a device has fallen below 15 % for the first time since it was above 25 %. */
export interface DeviceBatteryLowEvent {
  /** The identifier of the event, the same however it is read. */
  eventUuid: string
  /** The type of the event. */
  type: 'device.battery_low'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it happened. */
  timestamp: string
  /** The site of the event. */
  siteUuid: string
  /** The position in the log of the site. The numbers of a site have no gaps. */
  number: number
  /** The device; null if the event concerns none. */
  deviceUuid: string | null
  /** The space, or the space of the device; null if there is none. */
  spaceUuid: string | null
  /** What happened. */
  data: BatteryLowData
}

/** Paths of calls that read the values. */
export interface FigureLinks {
  /** Reads the values of these days as a batch; only the first eight metrics if there are more. */
  daily: string
  /** Reads the values of these days as an export, by hour. */
  windows: string
}

/** A day of the site. */
export interface DayClosedData {
  /** The day, in the time zone of the site. */
  date: string
  /** Start of the day. */
  fromDateTime: string
  /** End of the day, exclusive. */
  toDateTime: string
  /** Number of pairs of a space and a metric that have data for the day. */
  series: number
  /** Number of those pairs whose data covers the whole day. */
  complete: number
  /** Paths of calls that read the values of the day. */
  links: FigureLinks
}

/** A day of the site is complete: its values are final, unless data.corrected reports a change. */
export interface DayClosedEvent {
  /** The identifier of the event, the same however it is read. */
  eventUuid: string
  /** The type of the event. */
  type: 'day.closed'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it happened. */
  timestamp: string
  /** The site of the event. */
  siteUuid: string
  /** The position in the log of the site. The numbers of a site have no gaps. */
  number: number
  /** The device; null if the event concerns none. */
  deviceUuid: string | null
  /** The space, or the space of the device; null if there is none. */
  spaceUuid: string | null
  /** What happened. */
  data: DayClosedData
}

/** Closed days of a space and a metric. */
export interface DataCorrectedData {
  /** The space. */
  spaceUuid: string
  /** The metric. Those that are computed from it may have changed too. */
  metricType: Open<MetricName>
  /** Start of the first day. */
  fromDateTime: string
  /** End of the last day, exclusive. */
  toDateTime: string
  /** The number of days. */
  days: number
  /** Paths of calls that read the values again. */
  links: FigureLinks
}

/** Values of closed days have changed, because of late or corrected readings or a corrected inventory. */
export interface DataCorrectedEvent {
  /** The identifier of the event, the same however it is read. */
  eventUuid: string
  /** The type of the event. */
  type: 'data.corrected'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it happened. */
  timestamp: string
  /** The site of the event. */
  siteUuid: string
  /** The position in the log of the site. The numbers of a site have no gaps. */
  number: number
  /** The device; null if the event concerns none. */
  deviceUuid: string | null
  /** The space, or the space of the device; null if there is none. */
  spaceUuid: string | null
  /** What happened. */
  data: DataCorrectedData
}

/** Something that happened on a site. */
export type Event = CommandUpdatedEvent | DeviceOnlineEvent | DeviceOfflineEvent | InventoryChangedEvent | DeviceBatteryLowEvent | DayClosedEvent | DataCorrectedEvent

/** Where the next page starts. */
export interface EventPagination {
  /** Send it as after to get the events that follow. */
  nextAfter: number
  /** Whether there are already more events. */
  hasMore: boolean
}

/** Events of a site, oldest first, and where the next page starts. */
export interface EventPage {
  /** The events, oldest first. */
  data: Event[]
  /** Where the next page starts. */
  pagination: EventPagination
}

/** How the simulated device behaves from now on. */
export interface SimulationBody {
  /** offline: receives nothing; reject: rejects every command; delay: responds late. */
  mode: 'online' | 'offline' | 'reject' | 'delay'
  /** Required with mode delay, not allowed otherwise: seconds before the first response of the device. */
  delaySeconds?: number
}

/** How a simulated device behaves. */
export interface Simulation {
  /** The simulated device. */
  deviceUuid: string
  /** offline: receives nothing; reject: rejects every command; delay: responds late. */
  mode: Open<'online' | 'offline' | 'reject' | 'delay'>
  /** Seconds before the first response of the device; null unless the mode is delay. */
  delaySeconds: number | null
}

/** An address to which events are sent, and the state of its deliveries. */
export interface Webhook {
  /** The identifier of the webhook. */
  webhookUuid: string
  /** Where events are sent. */
  url: string
  /** Your own note about the webhook. */
  description: string | null
  /** The types of events to send; null for all that your roles allow. */
  eventTypes: Array<Open<'command.updated' | 'device.online' | 'device.offline' | 'inventory.changed' | 'device.battery_low' | 'day.closed' | 'data.corrected'>> | null
  /** The sites whose events are sent; null for all sites granted to you, later ones included. */
  siteUuids: string[] | null
  /** Whether `webhook.heartbeat` is sent every hour, with the number of waiting events. */
  heartbeat: boolean
  /** paused: by you; disabled: by the server or the operator, see `reason`. */
  state: Open<'enabled' | 'paused' | 'disabled'>
  /** Why it is disabled. failing: no request succeeded for five days; gone: the endpoint answered 410; operator: by the operator. */
  reason: Open<'failing' | 'gone' | 'operator'> | null
  /** Since when the endpoint has been failing; null while it works. */
  failingSince: string | null
  /** When an event was last delivered. */
  lastDeliveredAt: string | null
  /** Events that are not delivered yet. While the webhook is failing, paused or disabled, events of other types count too. */
  waiting: number
  /** When the oldest of them was recorded. */
  oldestWaitingAt: string | null
  /** Events that were removed from the log before they could be delivered. */
  lost: number
  /** When it was added. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** A list of Webhook records, or one page of it. */
export interface WebhookPage {
  /** The records of the page. */
  data: Webhook[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The webhook to add. */
export interface NewWebhook {
  /** Where events are sent, as POST requests: an https address without a user, password or fragment. */
  url: string
  /** Your own note about the webhook. */
  description?: string | null
  /** The types of events to send; null for all that your roles allow. */
  eventTypes?: Array<'command.updated' | 'device.online' | 'device.offline' | 'inventory.changed' | 'device.battery_low' | 'day.closed' | 'data.corrected'> | null
  /** The sites whose events are sent; null for all sites granted to you, later ones included. */
  siteUuids?: string[] | null
  /** Whether `webhook.heartbeat` is sent every hour, with the number of waiting events. */
  heartbeat?: boolean
}

/** A new webhook with its secret. */
export interface AddedWebhook {
  /** The identifier of the webhook. */
  webhookUuid: string
  /** Where events are sent. */
  url: string
  /** Your own note about the webhook. */
  description: string | null
  /** The types of events to send; null for all that your roles allow. */
  eventTypes: Array<Open<'command.updated' | 'device.online' | 'device.offline' | 'inventory.changed' | 'device.battery_low' | 'day.closed' | 'data.corrected'>> | null
  /** The sites whose events are sent; null for all sites granted to you, later ones included. */
  siteUuids: string[] | null
  /** Whether `webhook.heartbeat` is sent every hour, with the number of waiting events. */
  heartbeat: boolean
  /** paused: by you; disabled: by the server or the operator, see `reason`. */
  state: Open<'enabled' | 'paused' | 'disabled'>
  /** Why it is disabled. failing: no request succeeded for five days; gone: the endpoint answered 410; operator: by the operator. */
  reason: Open<'failing' | 'gone' | 'operator'> | null
  /** Since when the endpoint has been failing; null while it works. */
  failingSince: string | null
  /** When an event was last delivered. */
  lastDeliveredAt: string | null
  /** Events that are not delivered yet. While the webhook is failing, paused or disabled, events of other types count too. */
  waiting: number
  /** When the oldest of them was recorded. */
  oldestWaitingAt: string | null
  /** Events that were removed from the log before they could be delivered. */
  lost: number
  /** When it was added. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** The key that verifies signatures (Standard Webhooks). Shown only here. */
  secret: string
}

/** Changes to a webhook. Fields that are absent stay as they are. */
export interface WebhookChanges {
  /** Where events are sent, as POST requests: an https address without a user, password or fragment. */
  url?: string
  /** Your own note about the webhook. */
  description?: string | null
  /** The types of events to send; null for all that your roles allow. */
  eventTypes?: Array<'command.updated' | 'device.online' | 'device.offline' | 'inventory.changed' | 'device.battery_low' | 'day.closed' | 'data.corrected'> | null
  /** The sites whose events are sent; null for all sites granted to you, later ones included. */
  siteUuids?: string[] | null
  /** Whether `webhook.heartbeat` is sent every hour, with the number of waiting events. */
  heartbeat?: boolean
  /** paused: events wait in the log until the webhook is enabled again. */
  state?: 'enabled' | 'paused'
}

/** Where a webhook continues when it is enabled again. */
export interface EnableBody {
  /** where-it-stopped, the default: all waiting events are sent. now: waiting events are skipped. */
  from?: 'where-it-stopped' | 'now'
}

/** The outcome of a test. */
export interface WebhookTest {
  /** Whether the response was 2xx. */
  delivered: boolean
  /** The HTTP status of the response; null without one. */
  status: number | null
  /** How long the request took. */
  durationMs: number
  /** Why the request failed; null if it did not. */
  error: Open<'connection-failed' | 'tls-failed' | 'timeout' | 'address-not-allowed' | 'too-large' | 'status'> | null
  /** The first 1,024 bytes of the response; null without one. */
  response: string | null
}

/** The new secret of a webhook, and how long the previous one is used too. */
export interface AddedWebhookSecret {
  /** The key that verifies signatures (Standard Webhooks). Shown only here. */
  secret: string
  /** Until then, requests also carry a signature of the previous secret. */
  previousEndsAt: string
}

/** The delivery of one event to a webhook. */
export interface WebhookDelivery {
  /** The event; also the header `webhook-id`. */
  eventUuid: string
  /** The site of the event. */
  siteUuid: string
  /** The number of the event in the log of its site. */
  number: number
  /** The type of the event; GET /event-types describes them. */
  type: Open<'command.updated' | 'device.online' | 'device.offline' | 'inventory.changed' | 'device.battery_low' | 'day.closed' | 'data.corrected'>
  /** failed: ten tries were not successful. */
  state: Open<'waiting' | 'delivered' | 'failed'>
  /** The number of tries so far. */
  tries: number
  /** When it is tried next; null unless it is waiting. */
  nextTryAt: string | null
  /** The HTTP status of the last response; null without one. */
  lastStatus: number | null
  /** Why the last try failed; null if it did not. */
  lastError: Open<'connection-failed' | 'tls-failed' | 'timeout' | 'address-not-allowed' | 'too-large' | 'status'> | null
  /** When it was delivered. */
  deliveredAt: string | null
}

/** A list of WebhookDelivery records, or one page of it. */
export interface WebhookDeliveryPage {
  /** The records of the page. */
  data: WebhookDelivery[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** One request to the endpoint, and its outcome. */
export interface WebhookAttempt {
  /** When the request was sent. */
  at: string
  /** The HTTP status of the response; null without one. */
  status: number | null
  /** Why the request failed; null if it did not. */
  error: Open<'connection-failed' | 'tls-failed' | 'timeout' | 'address-not-allowed' | 'too-large' | 'status'> | null
  /** How long the request took. */
  durationMs: number
  /** The first 1,024 bytes of the response; null without one. */
  response: string | null
}

/** A delivery with every attempt to send it. */
export interface WebhookDeliveryWithAttempts {
  /** The event; also the header `webhook-id`. */
  eventUuid: string
  /** The site of the event. */
  siteUuid: string
  /** The number of the event in the log of its site. */
  number: number
  /** The type of the event; GET /event-types describes them. */
  type: Open<'command.updated' | 'device.online' | 'device.offline' | 'inventory.changed' | 'device.battery_low' | 'day.closed' | 'data.corrected'>
  /** failed: ten tries were not successful. */
  state: Open<'waiting' | 'delivered' | 'failed'>
  /** The number of tries so far. */
  tries: number
  /** When it is tried next; null unless it is waiting. */
  nextTryAt: string | null
  /** The HTTP status of the last response; null without one. */
  lastStatus: number | null
  /** Why the last try failed; null if it did not. */
  lastError: Open<'connection-failed' | 'tls-failed' | 'timeout' | 'address-not-allowed' | 'too-large' | 'status'> | null
  /** When it was delivered. */
  deliveredAt: string | null
  /** Every request, oldest first. */
  attempts: WebhookAttempt[]
}

/** Which events of a site to send again. */
export interface ReplayBody {
  /** The site whose events are sent again. */
  siteUuid: string
  /** The first event; the oldest that is kept if absent. */
  fromNumber?: number
  /** Instead of fromNumber: the first event since then. */
  fromDateTime?: string
  /** The last event; the newest if absent. */
  toNumber?: number
  /** Instead of toNumber: the last event before then. */
  toDateTime?: string
  /** Only events of these types. */
  eventTypes?: Array<'command.updated' | 'device.online' | 'device.offline' | 'inventory.changed' | 'device.battery_low' | 'day.closed' | 'data.corrected'>
  /** Only events whose delivery failed. */
  only?: 'failed'
}

/** How many events will be sent again. */
export interface Replay {
  /** Events that are sent again, at most 100,000. */
  count: number
}

/** Sent on request, to test a webhook. */
export interface WebhookTestEvent {
  /** Identifies the message. */
  eventUuid: string
  /** The type of the message. */
  type: 'webhook.test'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it was sent. */
  timestamp: string
  /** About the webhook. */
  data: {
    /** The webhook. */
    webhookUuid: string
  }
}

/** Sent every hour if heartbeat is true, with the number of waiting events. */
export interface WebhookHeartbeatEvent {
  /** Identifies the message. */
  eventUuid: string
  /** The type of the message. */
  type: 'webhook.heartbeat'
  /** Changes when a field changes its meaning. */
  version: 1
  /** When it was sent. */
  timestamp: string
  /** About the webhook. */
  data: {
    /** The number of events that wait. */
    waiting: number
    /** Since when the oldest of them has been waiting; null if there is none. */
    oldestWaitingAt: string | null
  }
}

export interface ListIdMapQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** One or more of site, building, space, separated by commas; all if absent. */
  type?: string | undefined
}

export interface ListOwnV1UsageQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
}

export interface ListSpacesQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** Only records of this building. */
  buildingUuid?: string | undefined
  /** Only records of this space. */
  spaceUuid?: string | undefined
  /** Only records of this cluster. */
  clusterUuid?: string | undefined
  /** Only spaces of this type. */
  spaceType?: SpaceType | undefined
  /** Only spaces that measure this metric. */
  metricType?: MetricName | undefined
  /** Only spaces on this floor; 0 is the ground floor. */
  floorNumber?: number | undefined
  /** Only spaces whose name contains this text, in upper or lower case. */
  search?: string | undefined
}

export interface GetSpaceHourlyQuery {
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime?: string | undefined
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime?: string | undefined
  /** The length of a window; PT1H if absent. */
  interval?: 'PT15M' | 'PT30M' | 'PT1H' | undefined
  /** cluster: the total of the flat or other cluster of the space. */
  scope?: 'space' | 'cluster' | undefined
  /** Adds summary.comparison: what the range is compared with. */
  compareTo?: 'previousPeriod' | 'previousYear' | 'siteAverage' | 'target' | undefined
}

export interface GetSpaceDailyQuery {
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime?: string | undefined
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime?: string | undefined
  /** The length of a window; P1D if absent. */
  interval?: 'P1D' | 'P1W' | 'P1M' | undefined
  /** cluster: the total of the flat or other cluster of the space. */
  scope?: 'space' | 'cluster' | undefined
  /** Adds summary.comparison: what the range is compared with. */
  compareTo?: 'previousPeriod' | 'previousYear' | 'siteAverage' | 'target' | undefined
}

export interface ListDevicesQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** Only records of this building. */
  buildingUuid?: string | undefined
  /** Only records of this space. */
  spaceUuid?: string | undefined
  /** Only records of this cluster. */
  clusterUuid?: string | undefined
  /** Only devices of this type. */
  deviceType?: DeviceType | undefined
  /** Only devices that measure this metric. */
  metricType?: MetricName | undefined
  /** Only devices with this status. */
  status?: 'online' | 'offline' | 'unknown' | undefined
}

export interface GetDeviceConsumptionQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime?: string | undefined
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime?: string | undefined
  /** The length of a window, or raw for the readings themselves; PT1H if absent. */
  interval?: 'raw' | 'PT15M' | 'PT30M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M' | undefined
  /** Adds summary.comparison: what the range is compared with. */
  compareTo?: 'previousPeriod' | 'previousYear' | 'siteAverage' | 'target' | undefined
}

export interface ListPlacementsQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
}

export interface ListDeviceRejectionsQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
}

export interface ListSpacesHourlyQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** 1 to 8 metric types, separated by commas. */
  metricTypes: string
  /** The spaces to read, which are all in the response: 1 to 200 UUIDs, separated by commas. */
  spaceUuids?: string | undefined
  /** Only records of this building. */
  buildingUuid?: string | undefined
  /** Only records of this cluster. */
  clusterUuid?: string | undefined
  /** Only spaces of this type. */
  spaceType?: SpaceType | undefined
  /** Sums or pools the spaces of a group. The default is space. */
  groupBy?: 'space' | 'cluster' | 'building' | 'site' | undefined
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime?: string | undefined
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime?: string | undefined
  /** The length of a window; PT1H if absent. */
  interval?: 'PT15M' | 'PT30M' | 'PT1H' | undefined
}

export interface ListSpacesDailyQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** 1 to 8 metric types, separated by commas. */
  metricTypes: string
  /** The spaces to read, which are all in the response: 1 to 200 UUIDs, separated by commas. */
  spaceUuids?: string | undefined
  /** Only records of this building. */
  buildingUuid?: string | undefined
  /** Only records of this cluster. */
  clusterUuid?: string | undefined
  /** Only spaces of this type. */
  spaceType?: SpaceType | undefined
  /** Sums or pools the spaces of a group. The default is space. */
  groupBy?: 'space' | 'cluster' | 'building' | 'site' | undefined
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime?: string | undefined
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime?: string | undefined
  /** The length of a window; P1D if absent. */
  interval?: 'P1D' | 'P1W' | 'P1M' | undefined
}

export interface ListDevicesHourlyQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** 1 to 8 metric types, separated by commas. */
  metricTypes: string
  /** The devices to read, which are all in the response: 1 to 200 UUIDs, separated by commas. */
  deviceUuids?: string | undefined
  /** Only devices of this type. */
  deviceType?: DeviceType | undefined
  /** Only records of this space. */
  spaceUuid?: string | undefined
  /** Only records of this building. */
  buildingUuid?: string | undefined
  /** Only records of this cluster. */
  clusterUuid?: string | undefined
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime?: string | undefined
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime?: string | undefined
  /** The length of a window; PT1H if absent. */
  interval?: 'PT15M' | 'PT30M' | 'PT1H' | undefined
}

export interface ListDevicesDailyQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** 1 to 8 metric types, separated by commas. */
  metricTypes: string
  /** The devices to read, which are all in the response: 1 to 200 UUIDs, separated by commas. */
  deviceUuids?: string | undefined
  /** Only devices of this type. */
  deviceType?: DeviceType | undefined
  /** Only records of this space. */
  spaceUuid?: string | undefined
  /** Only records of this building. */
  buildingUuid?: string | undefined
  /** Only records of this cluster. */
  clusterUuid?: string | undefined
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime?: string | undefined
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime?: string | undefined
  /** The length of a window; P1D if absent. */
  interval?: 'P1D' | 'P1W' | 'P1M' | undefined
}

export interface ListLatestQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** 1 to 8 metric types, separated by commas. */
  metricTypes?: string | undefined
  /** The spaces to read, which are all in the response: 1 to 200 UUIDs, separated by commas. */
  spaceUuids?: string | undefined
  /** Only records of this building. */
  buildingUuid?: string | undefined
  /** Only records of this cluster. */
  clusterUuid?: string | undefined
  /** Only spaces of this type. */
  spaceType?: SpaceType | undefined
}

export interface ExportReadingsQuery {
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime: string
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime: string
  /** 1 to 8 metric types, separated by commas. */
  metricTypes?: string | undefined
  /** The format of the rows; ndjson if absent. */
  format?: 'ndjson' | 'csv' | 'parquet' | undefined
  /** The devices to read, which are all in the response: 1 to 200 UUIDs, separated by commas. */
  deviceUuids?: string | undefined
}

export interface ExportWindowsQuery {
  /** Start of the range: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  fromDateTime: string
  /** End of the range, exclusive: a date (midnight in the site’s time zone) or an ISO 8601 time; without an offset, in the site’s time zone. */
  toDateTime: string
  /** 1 to 8 metric types, separated by commas. */
  metricTypes?: string | undefined
  /** The format of the rows; ndjson if absent. */
  format?: 'ndjson' | 'csv' | 'parquet' | undefined
  /** The length of a window; PT1H if absent. */
  interval?: 'PT15M' | 'PT30M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M' | undefined
  /** Sums or pools the spaces of a group. The default is space. */
  groupBy?: 'space' | 'cluster' | 'building' | 'site' | undefined
  /** The spaces to read, which are all in the response: 1 to 200 UUIDs, separated by commas. */
  spaceUuids?: string | undefined
  /** Only records of this building. */
  buildingUuid?: string | undefined
  /** Only records of this cluster. */
  clusterUuid?: string | undefined
  /** Only spaces of this type. */
  spaceType?: SpaceType | undefined
}

export interface ListCommandsQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
}

export interface ListEventsQuery {
  /** Only events with a greater number; without it, those of the last hour. */
  after?: number | undefined
  /** Only events of these types, separated by commas. */
  types?: string | undefined
  /** Only events of this device. */
  deviceUuid?: string | undefined
  /** Only events of this space. */
  spaceUuid?: string | undefined
  /** Maximum number of events per page, from 1 to 1000; 100 if absent. */
  limit?: number | undefined
}

export interface StreamEventsQuery {
  /** Start after this number. Without it and without Last-Event-ID, the stream starts with the next event. */
  after?: number | undefined
  /** Only events of these types, separated by commas. */
  types?: string | undefined
  /** Only events of this device. */
  deviceUuid?: string | undefined
}

export interface ListDeliveriesQuery {
  /** Maximum number of records per page, from 1 to 1000. */
  limit?: number | undefined
  /** nextCursor of the previous page. It is valid only with the same filters. */
  cursor?: string | undefined
  /** Only deliveries in this state. */
  state?: 'waiting' | 'delivered' | 'failed' | undefined
  /** Only deliveries of events of this type. */
  type?: 'command.updated' | 'device.online' | 'device.offline' | 'inventory.changed' | 'device.battery_low' | 'day.closed' | 'data.corrected' | undefined
  /** Only deliveries that were created since then; without an offset, in UTC. */
  from?: string | undefined
}
