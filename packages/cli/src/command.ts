import type { ParseArgsConfig } from 'node:util'
import type { Config } from '@portico/server/config/config'
import type { Flags } from '@portico/server/config/read'
import type { OperatorClient } from './client/operator-client.ts'

export type Options = NonNullable<ParseArgsConfig['options']>

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

/** A command, loaded only when it is run. */
export interface Command {
  /** Positional parameters in the usage line, such as `FILE`. */
  parameters?: string
  /** Allowed number of positional arguments. */
  positionals?: { min: number; max: number }
  /** Its own options. */
  options?: Options
  /** A line for each of its own options, and for settings that mean something else here than for a server. */
  help?: Record<string, string>
  /** The values of options that have a fixed set of them, for completion. */
  choices?: Record<string, readonly string[]>
  /** Server settings that the command accepts as flags besides --data and --database. */
  settings?: readonly string[]
  /** Why the command works on this machine only; absent if it can also call a server with --url. */
  localOnly?: string
  /** Whether a command that works on this machine only opens the store of an installation. */
  opensStore?: true
  /** Whether it uses neither store nor data folder: --data and --database are accepted, but not described. */
  ignoresStore?: true
  run(call: CommandContext): Promise<number>
}

/** A command that is not loaded yet. */
export interface CatalogueEntry {
  summary: string
  load(): Promise<{ command: Command }>
}

export interface CommandContext {
  config: Config
  /** The settings that were given as flags. */
  flags: Flags
  /** Opens the store, or a session with the server at --url. Only `create` may create a store. */
  connect(options?: { create: boolean }): Promise<OperatorClient>
  values: Values
  positionals: string[]
  out: Output
}

export interface Output {
  isJson: boolean
  /** Prints exactly this text. */
  text(text: string): void
  /** Prints the value with --json, the lines otherwise. */
  result(value: unknown, lines: string | string[]): void
  /** Prints an additional line for the user, above `progress` if that is shown; omitted with --json. */
  note(line: string): void
  progress: ProgressLine
}

/** The last line of the terminal, which is drawn again when it changes; nothing is drawn if there is no terminal. */
export interface ProgressLine {
  show(text: string): void
  /** Leaves the line as it is and continues below it. */
  end(): void
  /** Removes the line. */
  clear(): void
}

/** Incorrect usage: one line, exit code 2. */
export class UsageError extends Error {}

export function stringValue(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

export function stringValues(values: Values, name: string): string[] {
  const value = values[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Returns a positional argument that `positionals.min` guarantees. */
export function positional(call: CommandContext, index: number): string {
  const value = call.positionals[index]
  if (value === undefined) throw new UsageError('an argument is missing')
  return value
}
