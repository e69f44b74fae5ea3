// Made from the OpenAPI document /openapi/operator.json by scripts/write-sdk-types.ts.

import type { DataCorrectedEvent, DayClosedEvent, DeviceBatteryLowEvent, DeviceOfflineEvent, DeviceOnlineEvent, DeviceType, Effective, EventPagination, InventoryChangedEvent, MetricName, Open, Pagination, ResumeSchedule, Secret, SpaceType, Warning } from './types.ts'

/** Devices by status. */
export interface DeviceCounts {
  /** All devices. */
  total: number
  /** Devices that are online. */
  online: number
  /** Devices that are offline. */
  offline: number
  /** Devices that never sent anything. */
  unknown: number
}

/** An overview of problems. */
export interface InstallationHealth {
  /** The version of the server. */
  version: string
  /** When the process that responds was started. */
  startedAt: string
  /** How long it has been running. */
  uptimeSeconds: number
  /** When the numbers below were read, at most a minute ago. */
  refreshedAt: string
  /** Why the server is not ready, as in GET /ready; empty if it is. */
  notReady: string[]
  /** How readings arrive. */
  ingest: {
    /** Readings that this instance has stored, on average since the previous refresh. */
    readingsPerMinute: number
    /** Time of the newest reading; null if there is none. */
    newestReadingAt: string | null
    /** Readings that are stored but not compressed yet; always 0 on PostgreSQL. */
    waitingToBePacked: number
    /** Entries of the rollup queue that are due. */
    waitingRollups: number
  }
  /** Devices of all sites by status. */
  devices: {
    /** All devices. */
    total: number
    /** Devices that are online. */
    online: number
    /** Devices that are offline. */
    offline: number
    /** Devices that never sent anything. */
    unknown: number
    /** The 20 sites with the most devices offline, the worst first; sites without any are left out. */
    sites: Array<{
      /** The site. */
      siteUuid: string
      /** Its name. */
      siteName: string
      /** Its devices by status. */
      devices: DeviceCounts
    }>
  }
  /** Messages that were rejected within the last hour, by reason, most first. */
  rejected: Array<{
    /** The code. */
    reason: string
    /** Messages. */
    messages: number
  }>
  /** Commands by state: those that are not finished, and those that were finished since 00:00 UTC. */
  commands: Array<{
    /** The state. */
    state: Open<'PENDING' | 'SENT' | 'DELIVERED' | 'CONFIRMED' | 'FAILED' | 'EXPIRED' | 'CANCELLED'>
    /** Commands. */
    commands: number
  }>
  /** Webhooks of all partners. */
  webhooks: {
    /** Webhooks that are enabled. */
    enabled: number
    /** Enabled webhooks whose endpoint is failing. */
    failing: number
    /** Webhooks that are disabled. */
    disabled: number
    /** The failing and disabled ones, at most 100. */
    attention: Array<{
      /** The webhook. */
      webhookUuid: string
      /** The partner that it belongs to. */
      partnerUuid: string
      /** Its address. */
      url: string
      /** Since when its endpoint has been failing, also if it was disabled for that; otherwise null. */
      failingSince: string | null
      /** Why it is disabled; null if it is not. */
      reason: string | null
    }>
  }
  /** Secrets of enabled partners that expire within 30 days, the next one first, at most 100. */
  expiringSecrets: Array<{
    /** The partner. */
    partnerUuid: string
    /** Its name. */
    partnerName: string
    /** The secret. */
    secretId: string
    /** The first four characters of its value. */
    hint: string
    /** When it expires. */
    expiresAt: string
  }>
  /** Use of version 1. */
  v1: {
    /** Calls to version 1 within 24 hours: in the current hour and the 23 before it. */
    calls: number
    /** Partners that have called version 1 within 24 hours. */
    partners: number
    /** Endpoints that they have called. */
    endpoints: number
    /** The last call ever; null if there was none. */
    lastSeenAt: string | null
  }
}

/** The site itself. */
export interface InventorySite {
  /** The identifier of the site, chosen by you. */
  siteUuid: string
  /** The name of the site. */
  siteName: string
  /** IANA name, such as Europe/London; case-insensitive. */
  timeZone: string
  /** The identifier in version 1; assigned permanently if absent. */
  legacyId?: number
  /** For the weather; degrees. */
  latitude?: number | null
  /** For the weather; degrees. */
  longitude?: number | null
  /** For the carbon intensity of the region. */
  postcode?: string | null
  /** Whether the site is for testing. */
  sandbox?: boolean
  /** Bounds for temperatures in degrees Celsius. By default, heating is 7 to 25, cooling 18 to 30 and hotWater 50 to 60. */
  policy?: {
    /** Bounds of heating, in degrees Celsius. */
    heating?: {
      /** The lowest temperature. */
      min: number
      /** The highest temperature. */
      max: number
    }
    /** Bounds of cooling, in degrees Celsius. */
    cooling?: {
      /** The lowest temperature. */
      min: number
      /** The highest temperature. */
      max: number
    }
    /** Bounds of hot water, in degrees Celsius. */
    hotWater?: {
      /** The lowest temperature. */
      min: number
      /** The highest temperature. */
      max: number
    }
  }
}

/** A building of the site. */
export interface InventoryBuilding {
  /** The identifier of the building, chosen by you. */
  buildingUuid: string
  /** The name of the building. */
  buildingName: string
  /** The identifier in version 1; assigned permanently if absent. */
  legacyId?: number
}

/** A space in a building of the site. */
export interface InventorySpace {
  /** The identifier of the space, chosen by you. */
  spaceUuid: string
  /** The name of the space. */
  spaceName: string
  /** What the space is used for. */
  spaceType: SpaceType
  /** The building of the space. */
  buildingUuid: string
  /** The floor; 0 is the ground floor. */
  floorNumber?: number | null
  /** The flat or other group of spaces that it is part of. */
  clusterUuid?: string | null
  /** The name of the cluster. */
  clusterName?: string | null
  /** The floor area in m². */
  areaM2?: number | null
  /** The number of people that it is designed for. */
  capacity?: number | null
  /** The identifier in version 1; assigned permanently if absent. */
  legacyId?: number
  /** Targets for consumption. */
  targets?: {
    /** Target for electricity. */
    electricity?: {
      /** Consumption per day, in the unit of the metric. */
      perDay: number
    }
    /** Target for gas. */
    gas?: {
      /** Consumption per day, in the unit of the metric. */
      perDay: number
    }
    /** Target for water. */
    water?: {
      /** Consumption per day, in the unit of the metric. */
      perDay: number
    }
    /** Target for hotwater. */
    hotwater?: {
      /** Consumption per day, in the unit of the metric. */
      perDay: number
    }
    /** Target for heating. */
    heating?: {
      /** Consumption per day, in the unit of the metric. */
      perDay: number
    }
    /** Target for cooling. */
    cooling?: {
      /** Consumption per day, in the unit of the metric. */
      perDay: number
    }
  }
}

/** How a device measures one metric. */
export interface InventoryMetric {
  /** register: a meter that counts up; delta: consumption of intervals; gauge: a measured value. */
  kind: 'register' | 'delta' | 'gauge'
  /** The value at which the register returns to 0. */
  registerSize?: number
  /** Consumption above it is marked as suspect. */
  maxPerHour?: number
  /** Gauges only: a reading is valid until the next one, but at most for this long. 60 if absent. */
  maxGapMinutes?: number
  /** Gauges only: what is measured. Only air counts as the climate of a space. Water for a hotWaterCylinder, air for any other device, if absent. */
  of?: 'air' | 'water' | 'surface' | 'outdoor'
  /** Deltas only: whether a timestamp is the start or the end of the interval. Start if absent. */
  stamp?: 'start' | 'end'
  /** Deltas only: length of the interval. The distance to the next delta if absent. */
  stepMinutes?: number
}

/** What a device can do. */
export interface Capabilities {
  /** Absent if it accepts no commands. */
  schedule?: {
    /** The types of commands that it accepts. */
    types: Array<'weekly' | 'oneOff' | 'override' | 'boost' | 'resume'>
    /** Whether the device holds the plan, or the server sends each target. */
    execution?: 'device' | 'server'
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
  modes?: Array<'heat' | 'cool' | 'auto' | 'fan' | 'dry' | 'off'>
  /** Limits of boosts. */
  boost?: {
    /** The longest boost in minutes. */
    maxMinutes?: number
  }
}

/** A device: where it is, what it measures and how it can be controlled. */
export interface InventoryDevice {
  /** The identifier of the device, chosen by you. */
  deviceUuid: string
  /** The name of the device. */
  deviceName: string
  /** What the device is. */
  deviceType: DeviceType
  /** The space in which it is installed. */
  spaceUuid: string
  /** When it was installed in this space, not in the future; the time of applying the document if absent. */
  since?: string
  /** The gateway that connects it. */
  gatewayUuid?: string | null
  /** The manufacturer. */
  manufacturer?: string | null
  /** The model. */
  model?: string | null
  /** The serial number. */
  serialNumber?: string | null
  /** The version of its firmware. */
  firmwareVersion?: string | null
  /** When it was installed. */
  installedAt?: string | null
  /** The device of the site whose meter also measures what this one measures. Sums over both count only that device. */
  submeterOf?: string | null
  /** What it measures. */
  metrics?: {
    /** How it measures electricity. */
    electricity?: InventoryMetric
    /** How it measures gas. */
    gas?: InventoryMetric
    /** How it measures water. */
    water?: InventoryMetric
    /** How it measures hotwater. */
    hotwater?: InventoryMetric
    /** How it measures heating. */
    heating?: InventoryMetric
    /** How it measures cooling. */
    cooling?: InventoryMetric
    /** How it measures solar. */
    solar?: InventoryMetric
    /** How it measures temperature. */
    temperature?: InventoryMetric
    /** How it measures humidity. */
    humidity?: InventoryMetric
    /** How it measures co2. */
    co2?: InventoryMetric
    /** How it measures voc. */
    voc?: InventoryMetric
    /** How it measures pm25. */
    pm25?: InventoryMetric
    /** How it measures noise. */
    noise?: InventoryMetric
    /** How it measures light. */
    light?: InventoryMetric
    /** How it measures pressure. */
    pressure?: InventoryMetric
    /** How it measures occupancy. */
    occupancy?: InventoryMetric
    /** How it measures motion. */
    motion?: InventoryMetric
    /** How it measures battery. */
    battery?: InventoryMetric
  }
  /** What it can do; absent if it accepts no commands. */
  capabilities?: Capabilities
}

/** A whole site as one document. */
export interface Inventory {
  /** The site. */
  site: InventorySite
  /** Its buildings. */
  buildings: InventoryBuilding[]
  /** Its spaces. */
  spaces: InventorySpace[]
  /** Its devices. */
  devices: InventoryDevice[]
}

/** A record that would change. */
export interface InventoryChange {
  /** What the record is. */
  kind: Open<'site' | 'building' | 'space' | 'device'>
  /** Its identifier. */
  uuid: string
  /** Its name. */
  name: string
  /** What would happen to it. */
  what: Open<'created' | 'updated' | 'archived'>
}

/** How many records an inventory document created, updated and archived. */
export interface InventoryChanges {
  /** Number of new records. */
  created: number
  /** Number of changed records. */
  updated: number
  /** Number of records that the document no longer contains. */
  archived: number
  /** Number of unchanged records. */
  unchanged: number
  /** With dryRun only: the records that would be archived, the first 1,000. */
  archivedRecords?: Array<{
    /** What the record is. */
    kind: Open<'building' | 'space' | 'device'>
    /** Its identifier. */
    uuid: string
    /** Its name. */
    name: string
  }>
  /** With dryRun only: the records that would change, the first 1,000; those to archive come first. */
  changes?: InventoryChange[]
}

/** A site with its numbers. */
export interface OperatorSite {
  /** The identifier of the site: the value of the SiteId header. */
  siteUuid: string
  /** The name of the site. */
  siteName: string
  /** IANA name; the days and hours of the site follow this time zone. */
  timeZone: string
  /** Whether the site is for testing, with simulated devices. */
  sandbox: boolean
  /** Its buildings. */
  buildings: number
  /** Its spaces. */
  spaces: number
  /** Its devices by status, at most a minute old. */
  devices: DeviceCounts
  /** Its gateway accounts. */
  gateways: number
  /** Time of the newest reading of any device, at most a minute old; null if there is none. */
  newestReadingAt: string | null
}

/** A list of OperatorSite records, or one page of it. */
export interface OperatorSitePage {
  /** The records of the page. */
  data: OperatorSite[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A device with its newest readings. */
export interface OperatorDevice {
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
  /** The newest reading of each metric; metrics without readings are left out. */
  latestReadings: Array<{
    /** The metric. */
    metricType: Open<MetricName>
    /** Time of the reading. */
    timestamp: string
    /** The value as it was sent. */
    value: number
  }>
}

/** A list of OperatorDevice records, or one page of it. */
export interface OperatorDevicePage {
  /** The records of the page. */
  data: OperatorDevice[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The desired state of the device. The field effective of a device shows what is accepted. */
export interface Target {
  /** The setpoint in degC. */
  temperature?: number
  /** Switches the device on or off. */
  power?: Open<'on' | 'off'>
  /** The operating mode of an air conditioner. */
  mode?: Open<'heat' | 'cool' | 'auto' | 'fan' | 'dry' | 'off'>
}

/** A period of the week with its target. */
export interface WeeklyPeriod {
  /** The days on which the period starts. */
  days: Array<Open<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>>
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

/** A command to a device; type determines its kind. */
export type ScheduleBody = WeeklySchedule | OneOffSchedule | OverrideSchedule | BoostSchedule | ResumeSchedule

/** A command with the partner that sent it. */
export interface OperatorCommand {
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
  /** The partner that sent the command. */
  partnerUuid: string
}

/** A list of OperatorCommand records, or one page of it. */
export interface OperatorCommandPage {
  /** The records of the page. */
  data: OperatorCommand[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A command with names. */
export interface ListedCommand {
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
  /** The partner that sent the command. */
  partnerUuid: string
  /** The site of the device. */
  siteUuid: string
  /** The name of the site. */
  siteName: string | null
  /** The name of the device; null if it was archived. */
  deviceName: string | null
  /** The name of the partner. */
  partnerName: string | null
}

/** A list of ListedCommand records, or one page of it. */
export interface ListedCommandPage {
  /** The records of the page. */
  data: ListedCommand[]
  /** Where the next page starts. */
  pagination: Pagination
}

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

/** Something that happened on a site. */
export type Event = CommandUpdatedEvent | DeviceOnlineEvent | DeviceOfflineEvent | InventoryChangedEvent | DeviceBatteryLowEvent | DayClosedEvent | DataCorrectedEvent

/** Events of a site, oldest first, and where the next page starts. */
export interface EventPage {
  /** The events, oldest first. */
  data: Event[]
  /** Where the next page starts. */
  pagination: EventPagination
}

/** An account of a site’s gateway at the MQTT broker. */
export interface Gateway {
  /** The identifier of the gateway. */
  gatewayUuid: string
  /** The site whose topics it may use. */
  siteUuid: string
  /** A display name, one line of text. */
  name: string
  /** Its user name at the broker. */
  mqttUsername: string
  /** When it was added. */
  createdAt: string
}

/** A list of Gateway records, or one page of it. */
export interface GatewayPage {
  /** The records of the page. */
  data: Gateway[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The gateway to add. */
export interface NewGateway {
  /** A display name, one line of text. */
  name: string
}

/** A new account with its password. */
export interface AddedGateway {
  /** The identifier of the gateway. */
  gatewayUuid: string
  /** The site whose topics it may use. */
  siteUuid: string
  /** A display name, one line of text. */
  name: string
  /** Its user name at the broker. */
  mqttUsername: string
  /** When it was added. */
  createdAt: string
  /** Its password at the broker, shown only once. */
  mqttPassword: string
  /** Where the gateway connects; null if no server has started on the store yet. */
  mqttUrl: string | null
}

/** A value of one metric of one device at one instant. */
export interface ImportedReading {
  /** The device that measured it. */
  deviceUuid: string
  /** What was measured. */
  metricType: 'electricity' | 'gas' | 'water' | 'hotwater' | 'heating' | 'cooling' | 'solar' | 'temperature' | 'humidity' | 'co2' | 'voc' | 'pm25' | 'noise' | 'light' | 'pressure' | 'occupancy' | 'motion' | 'battery'
  /** ISO 8601 with an offset, to the millisecond. */
  timestamp: string
  /** The register, the consumption of the interval, or the measured value. */
  value: number
}

/** A record that was rejected, and why. */
export interface RefusedReading {
  /** The line, or the position in the array, from 1. */
  line: number
  /** What is wrong, as a code. */
  code: string
  /** What is wrong, in words. */
  message: string
}

/** What became of an import. */
export interface ReadingsReport {
  /** Number of new readings. */
  accepted: number
  /** Number of readings that replaced another value at the same time. */
  replaced: number
  /** Number of readings that were already stored. */
  unchanged: number
  /** The first 1,000. */
  refused: RefusedReading[]
  /** Number of all rejected readings. */
  refusedCount: number
}

/** The totals of an import that took several requests. */
export interface ReadingsImport {
  /** Name of the file. */
  file: string
  /** Number of new readings. */
  accepted: number
  /** Number of corrected readings. */
  replaced: number
  /** Number of readings that were stored before. */
  unchanged: number
  /** Number of rejected readings. */
  refusedCount: number
  /** Whether the import stopped before the end. */
  isInterrupted?: boolean
}

/** A message that was not accepted. */
export interface RejectedMessage {
  /** When it arrived. */
  at: string
  /** The topic of the message. */
  topic: string
  /** A code such as not-json or unknown-device. */
  reason: string
  /** What is wrong; for a partly rejected message, also how many records. */
  message: string
  /** The first 256 bytes as text; bytes that are not text are shown as \xNN. */
  payload: string
  /** The size of the whole payload. */
  payloadBytes: number
  /** The account of the sender; null if an external broker authenticated it. */
  gatewayUuid: string | null
}

/** A list of RejectedMessage records, or one page of it. */
export interface RejectedMessagePage {
  /** The records of the page. */
  data: RejectedMessage[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A client of the API with its sites and roles. */
export interface Partner {
  /** The identifier of the partner. */
  partnerUuid: string
  /** The name of the partner. */
  name: string
  /** The client_id of its token requests. */
  clientId: string
  /** The sites that it may use. */
  sites: string[]
  /** What it may do. */
  roles: Array<Open<'Spaces.Read' | 'Devices.Read' | 'Devices.Control' | 'Events.Read' | 'Webhooks.Manage' | 'V1.Read' | 'Operator'>>
  /** Whether it can get tokens and use them. */
  enabled: boolean
  /** When it was added. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** Limits that differ from those of the installation. */
  rateLimits: {
    /** Requests per minute and site. */
    perMinute?: number
    /** Requests per five minutes and site. */
    per5Minutes?: number
  }
}

/** A list of Partner records, or one page of it. */
export interface PartnerPage {
  /** The records of the page. */
  data: Partner[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The partner to add. */
export interface NewPartner {
  /** The name of the partner, one line of text. */
  name: string
  /** The sites that it may use. */
  sites: string[]
  /** What it may do. */
  roles: Array<'Spaces.Read' | 'Devices.Read' | 'Devices.Control' | 'Events.Read' | 'Webhooks.Manage' | 'V1.Read' | 'Operator'>
  /** Its client_id, for tokens of an external issuer; assigned if absent. */
  clientId?: string
  /** Days until the secret expires; 365 if absent. With 0, it has already expired. */
  expiresInDays?: number
  /** Limits that differ from those of the installation. */
  rateLimits?: {
    /** Requests per minute and site. */
    perMinute?: number
    /** Requests per five minutes and site. */
    per5Minutes?: number
  }
}

/** A new partner with its secret and the addresses to pass on. */
export interface AddedPartner {
  /** The identifier of the partner. */
  partnerUuid: string
  /** The name of the partner. */
  name: string
  /** The client_id of its token requests. */
  clientId: string
  /** The sites that it may use. */
  sites: string[]
  /** What it may do. */
  roles: Array<Open<'Spaces.Read' | 'Devices.Read' | 'Devices.Control' | 'Events.Read' | 'Webhooks.Manage' | 'V1.Read' | 'Operator'>>
  /** Whether it can get tokens and use them. */
  enabled: boolean
  /** When it was added. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** Limits that differ from those of the installation. */
  rateLimits: {
    /** Requests per minute and site. */
    perMinute?: number
    /** Requests per five minutes and site. */
    per5Minutes?: number
  }
  /** The value of the secret, shown only once. */
  clientSecret: string
  /** The secret without its value. */
  secret: Secret
  /** Where the partner gets tokens. */
  authUrl: string
  /** The address of version 2. */
  baseUrl: string
  /** The address of version 1. */
  baseUrlV1: string
  /** The scope of its token requests. */
  scope: string
}

/** A partner with its secrets, without their values. */
export interface PartnerWithSecrets {
  /** The identifier of the partner. */
  partnerUuid: string
  /** The name of the partner. */
  name: string
  /** The client_id of its token requests. */
  clientId: string
  /** The sites that it may use. */
  sites: string[]
  /** What it may do. */
  roles: Array<Open<'Spaces.Read' | 'Devices.Read' | 'Devices.Control' | 'Events.Read' | 'Webhooks.Manage' | 'V1.Read' | 'Operator'>>
  /** Whether it can get tokens and use them. */
  enabled: boolean
  /** When it was added. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** Limits that differ from those of the installation. */
  rateLimits: {
    /** Requests per minute and site. */
    perMinute?: number
    /** Requests per five minutes and site. */
    per5Minutes?: number
  }
  /** Its secrets, without their values. */
  secrets: Secret[]
}

/** Changes to a partner. Fields that are absent stay as they are. */
export interface PartnerChanges {
  /** Whether it can get tokens and use them. */
  enabled?: boolean
  /** The sites that it may use. */
  sites?: string[]
  /** Sites that it may use as well. Concurrent changes add up. */
  grantSites?: string[]
  /** Sites that it may no longer use. */
  revokeSites?: string[]
  /** What it may do. */
  roles?: Array<'Spaces.Read' | 'Devices.Read' | 'Devices.Control' | 'Events.Read' | 'Webhooks.Manage' | 'V1.Read' | 'Operator'>
  /** The name of the partner, one line of text. */
  name?: string
  /** Limits that differ from those of the installation. */
  rateLimits?: {
    /** Requests per minute and site. */
    perMinute?: number
    /** Requests per five minutes and site. */
    per5Minutes?: number
  }
}

/** The secret to add. */
export interface NewSecret {
  /** Days until the secret expires; 365 if absent. With 0, it has already expired. */
  expiresInDays?: number
}

/** A new secret of a partner, with its value. */
export interface AddedSecret {
  /** The identifier of the secret; not its value. */
  secretId: string
  /** The first four characters of the value. */
  hint: string
  /** When it was added. */
  createdAt: string
  /** When it expires. */
  expiresAt: string
  /** Null: it has not been used yet. */
  lastUsedAt: null
  /** The value of the secret, shown only once. */
  clientSecret: string
}

/** A signing key, without the key itself. */
export interface Key {
  /** The id of the key, as in the header of a token. */
  kid: string
  /** The signature algorithm. */
  algorithm: 'ES256' | 'RS256'
  /** When it was created. */
  createdAt: string
  /** When a newer key replaced it; null for the key that signs new tokens. A retired key verifies tokens until the last one it signed has expired. */
  retiredAt: string | null
}

/** A list of Key records, or one page of it. */
export interface KeyPage {
  /** The records of the page. */
  data: Key[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** Whether tokens that are signed with earlier keys stay valid. */
export interface RotateKeys {
  /** Immediately revoke every token signed so far, for example because the key has leaked. Otherwise they stay valid until they expire. */
  revokePrevious?: boolean
}

/** The key that signs new tokens. */
export interface RotatedKey {
  /** The id of the new signing key. */
  kid: string
}

/** A partner’s calls to an endpoint. */
export interface V1Caller {
  /** The partner that calls the endpoint. */
  partnerUuid: string
  /** The name of the partner. */
  partnerName: string
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
  /** Calls with a 4xx or 5xx response. */
  failed: number
  /** Time of the last call. */
  lastSeenAt: string
}

/** A list of V1Caller records, or one page of it. */
export interface V1CallerPage {
  /** The records of the page. */
  data: V1Caller[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The calls to version 1 on one day. */
export interface V1Day {
  /** The day, in UTC. */
  day: string
  /** All calls, whatever their status. */
  calls: number
  /** Calls with a 4xx or 5xx response. */
  failed: number
  /** Partners that called. */
  partners: number
}

/** A list of V1Day records, or one page of it. */
export interface V1DayPage {
  /** The records of the page. */
  data: V1Day[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** A time in which an endpoint returns 410 as a rehearsal of its retirement. */
export interface Blackout {
  /** Start. */
  from: string
  /** End, exclusive. */
  to: string
}

/** An endpoint of version 1. */
export interface Lifecycle {
  /** Every endpoint of version 1 is a GET. */
  method: 'GET'
  /** Path template as in the documentation. */
  path: string
  /** Version 2 has it, will have it, or never will. Read-only. */
  state: Open<'replaced' | 'awaiting-v2' | 'retiring'>
  /** The path that replaces it in version 2; null if there is none. Read-only. */
  replacement: string | null
  /** When it is deprecated; or null. */
  deprecatedAt: string | null
  /** When it starts to return 410; or null. */
  sunsetAt: string | null
  /** Times at which it returns 410 as a rehearsal. */
  blackouts: Blackout[]
}

/** Changes to the dates of one endpoint of version 1. Fields that are absent stay as they are. */
export interface LifecycleChange {
  /** Every endpoint of version 1 is a GET. */
  method: 'GET'
  /** Path template as in the documentation. */
  path: string
  /** When it is deprecated, a date such as 2027-03-31 (midnight UTC), or an ISO 8601 time with an offset; null clears it. */
  deprecatedAt?: string | null
  /** When it starts to return 410, a date such as 2027-03-31 (midnight UTC), or an ISO 8601 time with an offset; null clears it. */
  sunsetAt?: string | null
  /** Times at which it returns 410 as a rehearsal; null clears them. */
  blackouts?: Array<{
    /** Start: a date such as 2027-03-31 (midnight UTC), or an ISO 8601 time with an offset. */
    from: string
    /** End, exclusive: a date such as 2027-03-31 (midnight UTC), or an ISO 8601 time with an offset. */
    to: string
  }> | null
  /** Version 2 has it, will have it, or never will. Read-only. */
  state?: 'replaced' | 'awaiting-v2' | 'retiring'
  /** The path that replaces it in version 2. Read-only. */
  replacement?: string | null
}

/** A webhook of a partner. */
export interface OperatorWebhook {
  /** The partner that it belongs to. */
  partnerUuid: string
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

/** A list of OperatorWebhook records, or one page of it. */
export interface OperatorWebhookPage {
  /** The records of the page. */
  data: OperatorWebhook[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** Whether the webhook is enabled. */
export interface WebhookStateChange {
  /** enabled: deliveries continue where they stopped. */
  state: 'enabled' | 'disabled'
}

/** A browser that is signed in to the web console. */
export interface ConsoleSession {
  /** The identifier of a session, from GET /sessions. It does not reveal the cookie. */
  sessionId: string
  /** The partner that is signed in. */
  partnerUuid: string
  /** The name of the partner. */
  partnerName: string
  /** The secret with which it was opened, and with which it ends; null for a one-time link. */
  secretId: string | null
  /** When the browser signed in. */
  createdAt: string
  /** When the session ends. */
  expiresAt: string
  /** The address of the browser. */
  address: string
  /** The browser, as it describes itself. */
  agent: string
}

/** A list of ConsoleSession records, or one page of it. */
export interface ConsoleSessionPage {
  /** The records of the page. */
  data: ConsoleSession[]
  /** Where the next page starts. */
  pagination: Pagination
}

/** The link to create. */
export interface NewConsoleLink {
  /** The partner to sign in as; the caller if absent. */
  partnerUuid?: string
}

/** A one-time link to the web console. */
export interface ConsoleLink {
  /** The address to open in a browser, once. */
  url: string
  /** The partner that it signs in as. */
  partnerUuid: string
  /** When it becomes invalid. */
  expiresAt: string
}

/** A partner, a user of the command line, or the server. */
export interface Actor {
  /** What acted. */
  kind: Open<'partner' | 'command-line' | 'server'>
  /** The partnerUuid of a partner; null otherwise. */
  id: string | null
  /** The name of the partner, or of the user of the command line. */
  name: string
  /** The X-Request-Id of the request; null without a request. */
  traceId: string | null
}

/** A change and who made it. */
export interface AuditEntry {
  /** The number of the entry; newer ones are greater. */
  id: number
  /** When it happened. */
  at: string
  /** What made the change. */
  actor: Actor
  /** What was done. */
  action: string
  /** What it was done to. */
  target: string
  /** More about the change; depends on the action. */
  detail: {
  }
}

/** A list of AuditEntry records, or one page of it. */
export interface AuditEntryPage {
  /** The records of the page. */
  data: AuditEntry[]
  /** Where the next page starts. */
  pagination: Pagination
}
