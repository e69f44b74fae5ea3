import type { Flags } from '@portico/server/config/read'
import { SETTINGS, type Setting } from '@portico/server/config/settings'
import type { Command, Options, Values } from './command.ts'

/** Settings that every command accepts as flags. */
const COMMON = ['dataDir', 'database']

/** The server settings that a command accepts, by flag. */
export const listSettings = (command: Command): [flag: string, setting: Setting<unknown>][] =>
  Object.entries(SETTINGS).flatMap(([name, setting]: [string, Setting<unknown>]) =>
    setting.flag !== undefined && [...COMMON, ...(command.settings ?? [])].includes(name)
      ? [[setting.flag, setting]]
      : [],
  )

export function buildOptions(command: Command): Options {
  const options: Options = { json: { type: 'boolean' }, ...command.options }
  for (const [flag, setting] of listSettings(command)) {
    options[flag] = { type: setting.isSwitch ? 'boolean' : 'string' }
  }
  return options
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
