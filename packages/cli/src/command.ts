import type { ParseArgsConfig } from 'node:util'
import type { Config } from '@portico/server/config/config'

export type Options = NonNullable<ParseArgsConfig['options']>

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

/** One verb. Loaded only when it is called. */
export interface Command {
  /** What follows the verb, as in `FILE`. */
  parameters?: string
  /** Allowed number of positional arguments. */
  positionals?: { min: number; max: number }
  /** Its own options, each with a line of help. */
  options?: Options
  help?: Record<string, string>
  /** Settings of the server that the verb takes as flags beside --data and --database. */
  settings?: readonly string[]
  run(call: CommandContext): Promise<number>
}

export interface CommandContext {
  config: Config
  values: Values
  positionals: string[]
  out: Output
}

export interface Output {
  isJson: boolean
  /** Exactly this text. */
  text(text: string): void
  /** The value with --json, else the lines. */
  result(value: unknown, lines: string | string[]): void
  /** Something beside the result, for people only. */
  note(line: string): void
}

/** Wrong use: one line, exit 2. */
export class UsageError extends Error {}

export function stringValue(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

export function stringValues(values: Values, name: string): string[] {
  const value = values[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** A positional argument that `positionals.min` promises. */
export function positional(call: CommandContext, index: number): string {
  const value = call.positionals[index]
  if (value === undefined) throw new UsageError('an argument is missing')
  return value
}
