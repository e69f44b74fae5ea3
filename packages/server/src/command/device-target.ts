import type { Bounds, DeviceType } from '../inventory/inventory.ts'
import type { Target } from './command.ts'

const FROST_HOLD_DEGC = 7
const HEATS: readonly DeviceType[] = ['thermostat', 'trv', 'heater', 'hotWaterCylinder']

/**
 * What a device is told for a target. Pipes must not freeze, nor a cylinder cool into what legionella likes: for a device
 * that heats to a setpoint, off is a hold at 7 degC, or at the least it and its site allow where that is more.
 */
export function toDeviceTarget(target: Target, deviceType: DeviceType, bounds: Bounds | undefined): Target {
  if (target.power !== 'off' || !bounds || !HEATS.includes(deviceType)) return target
  return { temperature: Math.max(FROST_HOLD_DEGC, bounds.min) }
}
