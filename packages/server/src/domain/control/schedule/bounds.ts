import type { FieldError } from '../../../kernel/errors.ts'
import type { Bounds, Capabilities, DeviceType, SitePolicy } from '../../estate/inventory/inventory.ts'
import type { Schedule, Target } from './schedule.ts'

/** Both hold: what the device can do and what the site allows. */
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

/** What is wrong with a target; never mended in silence. */
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
    if (!bounds)
      errors.push({ field: at, code: 'not-supported', message: 'is not something this device can be set to' })
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
  // Off is a frost hold for whatever heats; on is for devices that have a switch.
  const canDo = canSwitch || (power === 'off' && bounds !== undefined)
  if (power !== undefined && !canDo) {
    errors.push({
      field: `${field}.power`,
      code: 'not-supported',
      message: 'is not something this device can switch',
    })
  }
  return errors
}

const isOnStep = (value: number, step: number): boolean => {
  const steps = value / step
  return Math.abs(steps - Math.round(steps)) < 1e-9
}

/** Every target of a schedule, with the field it stands in. */
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
