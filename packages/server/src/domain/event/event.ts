import type { Role } from '../identity/partner/partner.ts'

/** The role that a partner needs to see events of a type, besides `Events.Read`. */
type NeededRole = Extract<Role, 'Devices.Read' | 'Spaces.Read'>

/** Every type in the log. The role is checked when an event is read or sent, not when it is written. */
export const EVENT_TYPES = {
  'command.updated': { role: 'Devices.Read' },
  'device.online': { role: 'Devices.Read' },
  'device.offline': { role: 'Devices.Read' },
  'inventory.changed': { role: undefined },
  'device.battery_low': { role: 'Devices.Read' },
  'day.closed': { role: 'Spaces.Read' },
  'data.corrected': { role: 'Spaces.Read' },
} as const satisfies Record<string, { role: NeededRole | undefined }>

export type EventType = keyof typeof EVENT_TYPES

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventType[]

export const isEventType = (text: string): text is EventType => Object.hasOwn(EVENT_TYPES, text)

/** The types that a partner with these roles may see. */
export const visibleTypes = (roles: readonly Role[]): EventType[] =>
  EVENT_TYPE_NAMES.filter((type) => {
    const { role }: { role: NeededRole | undefined } = EVENT_TYPES[type]
    return role === undefined || roles.includes(role)
  })

/** An event that a decision returns; the store writes it in the transaction of the change. */
export interface NewEvent {
  eventUuid: string
  type: EventType
  /** When it happened. */
  at: number
  /** When the server learned of it. Retention counts from here. */
  recordedAt: number
  deviceUuid: string | null
  spaceUuid: string | null
  data: object
}

/** An event in the log of its site. */
export interface EventRecord extends Omit<NewEvent, 'data'> {
  siteUuid: string
  /** Position in the log of the site: from 1, without gaps, in the order of the commits. */
  number: number
  /** JSON. */
  data: string
}
