import type { Command } from '../command.ts'
import { buildOptions, listRemoteSettings, listSettings } from '../options.ts'

export interface CompletedOption {
  /** Without dashes. */
  name: string
  help: string
  hasValue: boolean
}

export interface CompletedVerb {
  name: string
  summary: string
  options: CompletedOption[]
  /** Fixed values of the first argument, such as `bash`. */
  values: string[]
}

export interface Entry {
  summary: string
  load(): Promise<{ command: Command }>
}

/** Every command with its options. */
export const loadCompletions = (catalogue: Record<string, Entry>): Promise<CompletedVerb[]> =>
  Promise.all(
    Object.entries(catalogue).map(async ([name, { summary, load }]) => {
      const { command } = await load()
      const settings = new Map([...listSettings(command), ...listRemoteSettings(command)])
      const isRemote = new Set(listRemoteSettings(command).map(([flag]) => flag))
      const options = Object.entries(buildOptions(command))
        .filter(([option]) => command.localOnly === undefined || !isRemote.has(option))
        .map(([option, { type }]) => ({
          name: option,
          help: command.help?.[option] ?? settings.get(option)?.help ?? '',
          hasValue: type === 'string',
        }))
      const { parameters = '' } = command
      const values = /^[a-z0-9|]+$/.test(parameters) ? parameters.split('|') : []
      return { name, summary, options: [...options, { name: 'help', help: '', hasValue: false }], values }
    }),
  )
