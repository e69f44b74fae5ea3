import { formatDefault } from '@portico/server/config/report'
import { SETTINGS, type Setting } from '@portico/server/config/settings'
import { CATALOGUE } from './catalogue.ts'
import type { Command } from './command.ts'
import { listEffectiveSettings, listRemoteSettings } from './options.ts'

/** Lines longer than this are hard to read, even where there is room. */
const MAX_COLUMNS = 120
/** A longer name has its description below it, so that one long name does not make all descriptions narrow. */
const MAX_NAME = 30

/** A list of names and descriptions in two columns, within the width of the terminal. */
const aligned = (rows: [string, string][]): string => {
  const names = rows.map(([left]) => left.length).filter((length) => length <= MAX_NAME)
  const width = Math.max(0, ...names)
  const indent = ' '.repeat(width + 4)
  const { isTTY, columns: available } = process.stdout
  const columns = isTTY && available > 0 ? Math.min(available, MAX_COLUMNS) : MAX_COLUMNS
  return rows
    .map(([left, right]) => {
      const text = wrap(right, Math.max(columns - indent.length, 30)).join(`\n${indent}`)
      return left.length > width ? `  ${left}\n${indent}${text}\n` : `  ${left.padEnd(width)}  ${text}\n`
    })
    .join('')
}

const wrap = (text: string, width: number): string[] =>
  text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.pop() ?? ''
    if (last === '') return [...lines, word]
    if (last.length + 1 + word.length <= width) return [...lines, `${last} ${word}`]
    return [...lines, last, word]
  }, [])

export const generalHelp = (): string => `portico: the partner API for building data and device control

Usage: portico COMMAND [OPTIONS]

${aligned(Object.entries(CATALOGUE).map(([name, { summary }]) => [name, summary]))}
Every command accepts --data DIR (the installation’s folder), --json (machine-readable output) and --help.
portico help COMMAND describes a command; portico --version prints the version.
To call a server instead of opening its store, use --url URL with --client-id and --client-secret, or PORTICO_URL,
PORTICO_CLIENT_ID and PORTICO_CLIENT_SECRET.
Exit codes: 0 success, 1 failure, 2 incorrect usage, 130 or 143 interrupted.
`

/** The commands that begin with one word. */
export const familyHelp = (
  family: string,
  verbs: readonly string[],
): string => `Usage: portico ${family} COMMAND [OPTIONS]

${aligned(verbs.map((verb) => [verb, CATALOGUE[verb]?.summary ?? '']))}
portico help ${family} COMMAND describes a command.
`

export function commandHelp(name: string, command: Command): string {
  const own: [string, string][] = Object.keys(command.options ?? {}).map((option) => [
    `--${option}${command.options?.[option]?.type === 'string' ? ' VALUE' : ''}`,
    command.help?.[option] ?? '',
  ])
  const settings: [string, string][] = listEffectiveSettings(command).map(([flag, setting]) => [
    `--${flag}${setting.isSwitch ? '' : ` ${setting.placeholder}`}`,
    `${command.help?.[flag] ?? describe(setting)} [${setting.env}]`,
  ])
  const remote: [string, string][] =
    command.localOnly === undefined
      ? listRemoteSettings(command).map(([flag, setting]) => [
          `--${flag} ${setting.placeholder}`,
          `${setting.help} [${setting.env}]`,
        ])
      : []
  const rows: [string, string][] = [...own, ...settings, ...remote, ['--json', 'Print JSON.']]
  return `portico ${name}: ${CATALOGUE[name]?.summary ?? ''}

Usage: portico ${name}${command.parameters ? ` ${command.parameters}` : ''} [OPTIONS]

${aligned(rows)}${name === 'serve' ? environmentHelp() : ''}`
}

/** With the default in parentheses. */
const describe = (setting: Setting<unknown>): string =>
  `${setting.help} (${formatDefault(setting) ?? 'none'})`

const environmentHelp = (): string => {
  const rows = Object.values(SETTINGS)
    .filter((setting: Setting<unknown>) => setting.flag === undefined)
    .map((setting: Setting<unknown>): [string, string] => [
      `${setting.env}=${setting.placeholder}`,
      describe(setting),
    ])
  return `
Defaults are in parentheses. Each flag can also be set by the environment variable in brackets. Settings without a flag:

${aligned(rows)}`
}
