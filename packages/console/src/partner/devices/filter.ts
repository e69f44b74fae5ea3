import type { Device } from '@portico/sdk'
import { toWords } from '../../format.ts'

/** Filters that the API does not have. They apply to the devices that are loaded. */
export interface DeviceFilter {
  name?: string | undefined
  isControllable?: string | undefined
  /** A code, or `any`. */
  warning?: string | undefined
}

export const WARNINGS = ['offline', 'low-battery', 'stale', 'rejecting', 'suspect-readings'] as const

export const toWarningName = (code: string): string => toWords(code)

export function matchesDevice(
  { deviceName, controllable, warnings }: Pick<Device, 'deviceName' | 'controllable' | 'warnings'>,
  { name, isControllable, warning }: DeviceFilter,
): boolean {
  if (name !== undefined && !deviceName.toLowerCase().includes(name.trim().toLowerCase())) return false
  if (isControllable !== undefined && controllable !== (isControllable === 'yes')) return false
  if (warning === undefined) return true
  return warning === 'any' ? warnings.length > 0 : warnings.some(({ code }) => code === warning)
}
