import { type Environment, type Flags, readSetting, type SettingSource } from './read.ts'
import { REMOTE_SETTINGS } from './remote.ts'
import { SETTINGS, type Setting, type SettingName } from './settings.ts'

/** The effective value of a setting. */
export interface ReportedSetting {
  /** Its environment variable. */
  name: string
  flag: string | null
  /**
   * As text; null if it is not set and has no default. Secrets and addresses with credentials are replaced by `HIDDEN`.
   */
  value: string | null
  source: SettingSource['kind'] | 'default'
  /** The flag or variable that was found. */
  from: string | null
}

export const HIDDEN = '(hidden)'

/** Defaults that depend on other settings, by setting. */
export type DerivedDefaults = Partial<Record<SettingName, string>>

/** The settings of a server, and then those of commands that call one. */
export const reportSettings = (
  flags: Flags,
  env: Environment,
  derived: DerivedDefaults,
): ReportedSetting[] => [
  ...Object.entries(SETTINGS).map(([name, setting]: [string, Setting<unknown>]) =>
    reportSetting(setting, hideCredentials, { flags, env, derived: derived[name as SettingName] }),
  ),
  ...Object.values(REMOTE_SETTINGS).map((setting) => reportSetting(setting, () => HIDDEN, { flags, env })),
]

function reportSetting(
  setting: Setting<unknown>,
  hide: (secret: string) => string,
  { flags, env, derived }: { flags: Flags; env: Environment; derived?: string | undefined },
): ReportedSetting {
  const { source } = readSetting(setting, flags, env)
  const shown = source && setting.isSecret ? hide(source.text) : source?.text
  return {
    name: setting.env,
    flag: setting.flag === undefined ? null : `--${setting.flag}`,
    value: shown ?? derived ?? formatDefault(setting) ?? null,
    source: source?.kind ?? 'default',
    from: source?.name ?? null,
  }
}

/** Every secret setting of a server is an address, which can have credentials before its host and in its query. */
function hideCredentials(address: string): string {
  if (address.startsWith('sqlite:')) return address
  const url = URL.parse(address)
  return url?.host && !url.username && !url.password && !url.search && !url.hash ? address : HIDDEN
}

/** The default of a setting as it would be written; undefined if it has none. */
export const formatDefault = ({ fallback, fallbackText }: Setting<unknown>): string | undefined => {
  if (fallbackText !== undefined) return fallbackText
  if (typeof fallback === 'boolean') return fallback ? 'on' : 'off'
  return typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : undefined
}
