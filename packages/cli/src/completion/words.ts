import type { Setting } from '@portico/server/config/settings'
import type { CatalogueEntry } from '../command.ts'
import { buildOptions, listEffectiveSettings, listRemoteSettings, listSettings } from '../options.ts'

export interface CompletedOption {
  /** Without dashes. */
  name: string
  help: string
  hasValue: boolean
  /** All values, if they are a fixed set. */
  choices: readonly string[]
}

export interface CompletedVerb {
  name: string
  summary: string
  options: CompletedOption[]
  /** Fixed values of the first argument, such as `bash`. */
  values: string[]
}

/** Every command with its options. */
export const loadCompletions = (catalogue: Record<string, CatalogueEntry>): Promise<CompletedVerb[]> =>
  Promise.all(
    Object.entries(catalogue).map(async ([name, { summary, load }]) => {
      const { command } = await load()
      const settings = new Map<string, Setting<unknown>>([
        ...listEffectiveSettings(command),
        ...listRemoteSettings(command),
      ])
      const ignored = new Set(listSettings(command).map(([flag]) => flag)).difference(settings)
      const remote = new Set(listRemoteSettings(command).map(([flag]) => flag))
      const options = Object.entries(buildOptions(command))
        .filter(([option]) => command.localOnly === undefined || !remote.has(option))
        .filter(([option]) => !ignored.has(option))
        .map(([option, { type }]) => ({
          name: option,
          help: command.help?.[option] ?? settings.get(option)?.help ?? '',
          hasValue: type === 'string',
          choices: command.choices?.[option] ?? settings.get(option)?.parse.allowed ?? [],
        }))
      const { parameters = '' } = command
      const values = /^[a-z0-9|]+$/.test(parameters) ? parameters.split('|') : []
      const help: CompletedOption = { name: 'help', help: '', hasValue: false, choices: [] }
      return { name, summary, options: [...options, help], values }
    }),
  )
