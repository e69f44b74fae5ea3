import type { Flags } from '@portico/server/config/read'
import { REMOTE_SETTINGS } from '@portico/server/config/remote'
import { SETTINGS, type Setting } from '@portico/server/config/settings'
import type { Command, Options, Values } from './command.ts'

/** Settings that every command accepts as flags. */
const COMMON = ['dataDir', 'database'] as const

/** The server settings that a command accepts, by flag. */
export const listSettings = (command: Command): [flag: string, setting: Setting<unknown>][] =>
  Object.entries(SETTINGS).flatMap(([name, setting]: [string, Setting<unknown>]) =>
    setting.flag !== undefined && [...COMMON, ...(command.settings ?? [])].includes(name)
      ? [[setting.flag, setting]]
      : [],
  )

/** Those that have an effect. */
export const listEffectiveSettings = (command: Command): [flag: string, setting: Setting<unknown>][] =>
  listSettings(command).filter(
    ([flag]) => !command.ignoresStore || !COMMON.some((name) => SETTINGS[name].flag === flag),
  )

export function buildOptions(command: Command): Options {
  const options: Options = { json: { type: 'boolean' } }
  // A command may have its own option with the name of one of these.
  for (const { flag } of Object.values(REMOTE_SETTINGS)) options[flag] = { type: 'string' }
  Object.assign(options, command.options)
  for (const [flag, setting] of listSettings(command)) {
    options[flag] = { type: setting.isSwitch ? 'boolean' : 'string' }
  }
  return options
}

/** The environment variable of a setting without a flag, for an option such as `--metrics-port`. */
export function findVariable(command: Command, option: string): string | undefined {
  const variable = option.slice(2).replaceAll('-', '_').toUpperCase()
  const found = Object.entries(SETTINGS).find(
    ([name, { env, flag }]: [string, Setting<unknown>]) =>
      env === variable && flag === undefined && command.settings?.includes(name),
  )
  return found && variable
}

/** The parsed options that are settings, in the form that the configuration expects. */
export function settingFlags(command: Command, values: Values): Flags {
  const flags: Flags = {}
  for (const [flag] of listSettings(command)) {
    const value = values[flag]
    if (typeof value === 'string' || typeof value === 'boolean') flags[flag] = value
  }
  return flags
}

/** The flags that name a server and the credentials of an operator. */
export const remoteFlags = (command: Command, values: Values): Flags =>
  Object.fromEntries(
    listRemoteSettings(command).flatMap(([flag]) => {
      const value = values[flag]
      return typeof value === 'string' ? [[flag, value]] : []
    }),
  )

/** The remote settings that a command accepts as flags; others can be set in the environment only. */
export const listRemoteSettings = (command: Command): [flag: string, setting: Setting<string>][] =>
  Object.values(REMOTE_SETTINGS).flatMap((setting: Setting<string>) =>
    setting.flag === undefined || command.options?.[setting.flag] ? [] : [[setting.flag, setting]],
  )
