import { readFileSync } from 'node:fs'
import { SETTINGS, type Setting, type SettingName } from './settings.ts'
import { BadValue } from './values.ts'

/** An invalid setting. The command prints one line and exits with code 2. */
export class ConfigError extends Error {}

type Value<N extends SettingName> = ReturnType<(typeof SETTINGS)[N]['parse']>

type Fallback<N extends SettingName> = (typeof SETTINGS)[N] extends { fallback: unknown } ? never : undefined

export type Settings = { [N in SettingName]: Value<N> | Fallback<N> }

/** Flags from the command line; a switch is `true`. */
export type Flags = Record<string, string | boolean | undefined>

export type Environment = Record<string, string | undefined>

/** Names of the settings that were set explicitly, to whatever value. */
export type ExplicitSettings = ReadonlySet<string>

export function readSettings(
  flags: Flags,
  env: Environment,
): { settings: Settings; given: ExplicitSettings } {
  const given = new Set<string>()
  const entries = Object.entries(SETTINGS).map(([name, setting]: [string, Setting<unknown>]) => {
    const { value, source } = readSetting(setting, flags, env)
    if (source) given.add(name)
    return [name, value]
  })
  return { settings: Object.fromEntries(entries) as Settings, given }
}

/** Where the value of a setting was found. */
export interface SettingSource {
  kind: 'flag' | 'environment' | 'file'
  /** The flag or variable. */
  name: string
  text: string
}

/** The value of one setting; `source` is undefined for the default. */
export function readSetting<T>(
  setting: Setting<T>,
  flags: Flags,
  env: Environment,
): { value: T | undefined; source: SettingSource | undefined } {
  const source = findSource(setting, flags, env)
  if (!source) return { value: setting.fallback, source }
  try {
    return { value: setting.parse(source.text), source }
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    const suffix = setting.isSecret ? '' : `, not ${JSON.stringify(source.text)}`
    throw new ConfigError(`${source.name} must be ${error.message}${suffix}`)
  }
}

/** A flag takes precedence over the environment; an empty variable counts as not set. */
function findSource(setting: Setting<unknown>, flags: Flags, env: Environment): SettingSource | undefined {
  const flag = setting.flag === undefined ? undefined : flags[setting.flag]
  if (flag !== undefined)
    return { kind: 'flag', name: `--${setting.flag}`, text: flag === true ? 'on' : String(flag) }
  const value = env[setting.env]
  if (value !== undefined && value !== '') return { kind: 'environment', name: setting.env, text: value }
  const file = setting.isSecret ? env[`${setting.env}_FILE`] : undefined
  if (file === undefined || file === '') return undefined
  try {
    return { kind: 'file', name: `${setting.env}_FILE`, text: readFileSync(file, 'utf8').trim() }
  } catch {
    throw new ConfigError(
      `${setting.env}_FILE must be the path of a readable file, not ${JSON.stringify(file)}`,
    )
  }
}
