import type { FieldError, FieldErrorCode } from '../../../kernel/errors.ts'
import type { Bounds, DeviceRecord, Mode, SitePolicy } from '../../estate/inventory/inventory.ts'
import type { Schedule, Target } from './schedule.ts'

type ControlledDevice = Pick<DeviceRecord, 'deviceType' | 'capabilities'>

export interface SetpointBounds extends Bounds {
  step: number
}

/** The bounds of a temperature in a mode: the intersection of the device's range and the site's policy. */
export function findTemperatureBounds(
  { deviceType, capabilities: { setpoint } }: ControlledDevice,
  policy: SitePolicy,
  mode?: Mode,
): SetpointBounds | undefined {
  if (!setpoint) return undefined
  const site = findPolicy(deviceType, policy, mode)
  return {
    min: Math.max(setpoint.min, site.min),
    max: Math.min(setpoint.max, site.max),
    step: setpoint.step ?? 0.5,
  }
}

/** Without a mode, an air conditioner may heat or cool: the outer limits of both policies apply. */
function findPolicy(
  deviceType: DeviceRecord['deviceType'],
  { heating, cooling, hotWater }: SitePolicy,
  mode: Mode | undefined,
): Bounds {
  if (deviceType === 'hotWaterCylinder') return hotWater
  if (mode === 'heat') return heating
  if (mode === 'cool') return cooling
  if (mode === undefined && deviceType !== 'airConditioner') return heating
  return { min: Math.min(heating.min, cooling.min), max: Math.max(heating.max, cooling.max) }
}

/** What a device accepts within the policy of its site. */
export interface EffectiveControls {
  /** For a target without a mode; undefined if the device has no setpoint. */
  setpoint: SetpointBounds | undefined
  /** For a target with a mode; without `off`, which takes no temperature. */
  setpointByMode: Partial<Record<Mode, SetpointBounds>>
  modes: readonly Mode[]
  power: boolean
}

export function getEffectiveControls(device: ControlledDevice, policy: SitePolicy): EffectiveControls {
  const { modes = [], power, setpoint } = device.capabilities
  const modesWithSetpoint = setpoint ? modes.filter((mode) => mode !== 'off') : []
  return {
    setpoint: findTemperatureBounds(device, policy),
    setpointByMode: Object.fromEntries(
      modesWithSetpoint.map((mode) => [mode, findTemperatureBounds(device, policy, mode)]),
    ),
    modes,
    power: power === true,
  }
}

/**
 * The target of a boost that has none: the highest temperature that device and site allow. A device that can only cool
 * gets the lowest, and a device without a setpoint is switched on.
 */
export function decideBoostTarget(device: ControlledDevice, policy: SitePolicy): Target {
  const { modes = [] } = device.capabilities
  const mode = modes.includes('heat')
    ? 'heat'
    : modes.includes('cool') && !modes.includes('auto')
      ? 'cool'
      : undefined
  // A boost of an air conditioner without modes is limited by the policy for heating, not by the outer limits.
  const bounds = findTemperatureBounds(device, policy, mode ?? 'heat')
  if (!bounds) return { power: 'on' }
  const temperature = mode === 'cool' ? bounds.min : bounds.max
  return mode === undefined ? { temperature } : { temperature, mode }
}

/** The errors of a target. An invalid target is rejected, never adjusted. */
export function checkTarget(
  { temperature, power, mode }: Target,
  field: string,
  device: ControlledDevice,
  policy: SitePolicy,
): FieldError[] {
  const { modes, power: canSwitch } = getEffectiveControls(device, policy)
  const isOff = power === 'off' || mode === 'off'
  const errors: FieldError[] = []
  const report = (name: keyof Target, code: FieldErrorCode, message: string): void => {
    errors.push({ field: `${field}.${name}`, code, message })
  }
  if (mode !== undefined && !modes.includes(mode)) {
    const message =
      modes.length === 0 ? 'is not supported by this device' : `must be one of ${modes.join(', ')}`
    report('mode', 'not-supported', message)
  }
  if (temperature !== undefined) {
    const bounds = findTemperatureBounds(device, policy, mode)
    if (!bounds) report('temperature', 'not-supported', 'is not supported by this device')
    else if (isOff) report('temperature', 'not-allowed', 'is not allowed in a target that is off')
    else if (temperature < bounds.min || temperature > bounds.max)
      report('temperature', 'out-of-bounds', `must be from ${bounds.min} to ${bounds.max} degC`)
    else if (!isOnStep(temperature, bounds.step))
      report('temperature', 'off-step', `must be a multiple of ${bounds.step} degC`)
  }
  if (power !== undefined && !canSwitch) report('power', 'not-supported', 'is not supported by this device')
  return errors
}

const isOnStep = (value: number, step: number): boolean => {
  const steps = value / step
  return Math.abs(steps - Math.round(steps)) < 1e-9
}

/** Every target of a schedule, with its field. */
export function listTargets(schedule: Schedule): [field: string, target: Target][] {
  switch (schedule.type) {
    case 'weekly':
      return [
        ['default', schedule.default],
        ...schedule.periods.map(({ target }, index): [string, Target] => [`periods.${index}.target`, target]),
      ]
    case 'oneOff':
    case 'override':
      return [['target', schedule.target]]
    case 'boost':
      return schedule.target ? [['target', schedule.target]] : []
    case 'resume':
      return []
  }
}
