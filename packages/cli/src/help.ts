import { SETTINGS, type Setting } from '@portico/server/config/settings'
import { CATALOGUE } from './catalogue.ts'
import type { Command } from './command.ts'
import { listSettings } from './options.ts'

const aligned = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

export const generalHelp = (): string => `portico: the partner API for building data and device control

Usage: portico COMMAND [OPTIONS]

${aligned(Object.entries(CATALOGUE).map(([name, { summary }]) => [name, summary]))}
Every command accepts --data DIR (the installation’s folder), --json (machine-readable output) and --help.
Exit codes: 0 success, 1 failure, 2 incorrect usage.
`

export function commandHelp(name: string, command: Command): string {
  const own: [string, string][] = Object.keys(command.options ?? {}).map((option) => [
    `--${option}${command.options?.[option]?.type === 'string' ? ' VALUE' : ''}`,
    command.help?.[option] ?? '',
  ])
  const settings: [string, string][] = listSettings(command).map(([flag, setting]) => [
    `--${flag}${setting.isSwitch ? '' : ` ${setting.placeholder}`}`,
    describe(setting),
  ])
  const rows: [string, string][] = [...own, ...settings, ['--json', 'Print JSON.']]
  return `portico ${name}: ${CATALOGUE[name]?.summary ?? ''}

Usage: portico ${name}${command.parameters ? ` ${command.parameters}` : ''} [OPTIONS]

${aligned(rows)}${name === 'serve' ? environmentHelp() : ''}`
}

const describe = (setting: Setting<unknown>): string => {
  const fallback = setting.fallbackText ?? setting.fallback
  return `${setting.help}${typeof fallback === 'string' || typeof fallback === 'number' ? ` (${fallback})` : ''} [${setting.env}]`
}

const environmentHelp = (): string => {
  const rows = Object.values(SETTINGS)
    .filter((setting: Setting<unknown>) => setting.flag === undefined)
    .map((setting: Setting<unknown>): [string, string] => [
      `${setting.env}=${setting.placeholder}`,
      setting.help,
    ])
  return `
Each flag can also be set by the environment variable in brackets. Settings without a flag:

${aligned(rows)}`
}
