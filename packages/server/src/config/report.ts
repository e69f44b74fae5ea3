import { type Environment, type Flags, readSetting, type SettingSource } from './read.ts'
import { SETTINGS, type Setting } from './settings.ts'

/** The effective value of a setting. */
export interface ReportedSetting {
  /** Its environment variable. */
  name: string
  flag: string | null
  /** As text; null if it is not set and has no default. Secrets are replaced by `HIDDEN`. */
  value: string | null
  source: SettingSource['kind'] | 'default'
  /** The flag or variable that was found. */
  from: string | null
}

export const HIDDEN = '(hidden)'

export const reportSettings = (flags: Flags, env: Environment): ReportedSetting[] =>
  Object.values(SETTINGS).map((setting: Setting<unknown>) => {
    const { source } = readSetting(setting, flags, env)
    const shown = source && setting.isSecret ? HIDDEN : source?.text
    return {
      name: setting.env,
      flag: setting.flag === undefined ? null : `--${setting.flag}`,
      value: shown ?? formatDefault(setting) ?? null,
      source: source?.kind ?? 'default',
      from: source?.name ?? null,
    }
  })

/** The default of a setting as it would be written; undefined if it has none. */
export const formatDefault = ({ fallback, fallbackText }: Setting<unknown>): string | undefined => {
  if (fallbackText !== undefined) return fallbackText
  if (typeof fallback === 'boolean') return fallback ? 'on' : 'off'
  return typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : undefined
}
