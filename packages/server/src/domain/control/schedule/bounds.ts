import type { FieldError } from '../../../kernel/errors.ts'
import type { Bounds, Capabilities, DeviceType, SitePolicy } from '../../estate/inventory/inventory.ts'
import type { Schedule, Target } from './schedule.ts'

/** The intersection of the device's range and the site's policy. */
export function temperatureBounds(
  deviceType: DeviceType,
  { setpoint }: Capabilities,
  policy: SitePolicy,
): (Bounds & { step: number }) | undefined {
  if (!setpoint) return undefined
  const site = deviceType === 'hotWaterCylinder' ? policy.hotWater : policy.heating
  return {
    min: Math.max(setpoint.min, site.min),
    max: Math.min(setpoint.max, site.max),
    step: setpoint.step ?? 0.5,
  }
}

/** The errors of a target. An invalid target is rejected, never adjusted. */
export function checkTarget(
  target: Target,
  field: string,
  bounds: (Bounds & { step: number }) | undefined,
  canSwitch: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  const { temperature, power } = target
  if (temperature !== undefined) {
    const at = `${field}.temperature`
    if (!bounds) errors.push({ field: at, code: 'not-supported', message: 'is not supported by this device' })
    else if (temperature < bounds.min || temperature > bounds.max) {
      errors.push({
        field: at,
        code: 'out-of-bounds',
        message: `must be from ${bounds.min} to ${bounds.max} degC`,
      })
    } else if (!isOnStep(temperature, bounds.step)) {
      errors.push({ field: at, code: 'off-step', message: `must be a multiple of ${bounds.step} degC` })
    }
  }
  // For a device that heats, off is a frost hold; on is only for devices that have a switch.
  const isSupported = canSwitch || (power === 'off' && bounds !== undefined)
  if (power !== undefined && !isSupported) {
    errors.push({
      field: `${field}.power`,
      code: 'not-supported',
      message: 'is not supported by this device',
    })
  }
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
