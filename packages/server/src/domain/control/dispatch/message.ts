import { isoInstant } from '../../../kernel/clock.ts'
import type { Bounds, DeviceRecord, DeviceType } from '../../estate/inventory/inventory.ts'
import { getZone } from '../../../calendar/zone.ts'
import type { Command } from '../command/command.ts'
import type { Target } from '../schedule/schedule.ts'
import type { OutboxMessage } from '../command/store.ts'

/** A message to a device in its wire format. */
export interface DeviceMessage {
  commandUuid: string
  type: Command['type'] | 'cancel' | 'target'
  issuedAt: string
  expiresAt: string
  schedule?: object
  cancels?: string
}

type Envelope = Pick<OutboxMessage, 'messageUuid' | 'createdAt' | 'expiresAt'>

const envelope = ({ messageUuid, createdAt, expiresAt }: Envelope) => ({
  commandUuid: messageUuid,
  issuedAt: isoInstant(createdAt),
  expiresAt: isoInstant(expiresAt),
})

/** The whole schedule, for a device that stores it, with the time zone of its times and an explicit boost target. */
export function commandMessage(command: Command, siteZone: string, boost: Target): DeviceMessage {
  const { schedule, type, commandUuid } = command
  // A command stored before zone names were normalised may have any spelling.
  const timeZone = schedule.timeZone === undefined ? undefined : getZone(schedule.timeZone).name
  const isBare = schedule.type === 'boost' && schedule.target === undefined
  return {
    ...envelope({ ...command, messageUuid: commandUuid }),
    type,
    schedule: {
      ...schedule,
      ...(timeZone !== undefined && { timeZone }),
      ...(type === 'weekly' && { timeZone: timeZone ?? siteZone }),
      ...(isBare && { target: boost }),
    },
  }
}

/** One target, for a device whose schedule the server runs. */
export const targetMessage = (
  message: Envelope,
  target: Target,
  { deviceType }: DeviceRecord,
  bounds: Bounds | undefined,
): DeviceMessage => ({
  ...envelope(message),
  type: 'target',
  schedule: { target: toDeviceTarget(target, deviceType, bounds) },
})

export const cancelMessage = (message: Envelope, cancels: string): DeviceMessage => ({
  ...envelope(message),
  type: 'cancel',
  cancels,
})

const FROST_HOLD_DEGC = 7
const HEATS: readonly DeviceType[] = ['thermostat', 'trv', 'heater', 'hotWaterCylinder']

/**
 * The target as sent to a device. To prevent frozen pipes, and legionella in cylinders, a device that heats to a
 * setpoint is never off: it holds 7 degC, or the lower bound of the device and its site if that is higher.
 */
export function toDeviceTarget(target: Target, deviceType: DeviceType, bounds: Bounds | undefined): Target {
  if (target.power !== 'off' || !bounds || !HEATS.includes(deviceType)) return target
  return { temperature: Math.max(FROST_HOLD_DEGC, bounds.min) }
}
