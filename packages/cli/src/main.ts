import { parseArgs } from 'node:util'
import { ConfigError, loadConfig } from '@portico/server/config/config'
import { AppError, UserFacingError } from '@portico/server/kernel/errors'
import { getVersion } from '@portico/server/kernel/version'
import { CATALOGUE } from './catalogue.ts'
import { type Command, UsageError } from './command.ts'
import { commandHelp, generalHelp } from './help.ts'
import { buildOptions, settingFlags } from './options.ts'
import { createOutput } from './output.ts'

/** Exit codes: 0 success, 1 failure, 2 incorrect usage. */
export async function main(args: string[]): Promise<number> {
  // `portico … | head`: a reader that closes the pipe early is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    return await dispatch(args)
  } catch (error) {
    return toExitCode(error)
  }
}

async function dispatch(args: string[]): Promise<number> {
  const { name, rest } = findVerb(args)
  if (name === undefined) {
    if (args.includes('--version')) return printVersion(args)
    if (args.length === 0 || args.includes('--help') || args[0] === 'help') return print(generalHelp())
    const family = Object.keys(CATALOGUE).filter((verb) => verb.startsWith(`${args[0]} `))
    if (family.length > 0) throw new UsageError(`incomplete command; use one of: ${family.join(', ')}`)
    throw new UsageError(`unknown command ${JSON.stringify(args.join(' '))}; see portico --help`)
  }
  if (rest.includes('--version')) return printVersion(rest)
  const { command } = await loadCommand(name)
  if (rest.includes('--help')) return print(commandHelp(name, command))
  return run(name, command, rest)
}

async function run(name: string, command: Command, args: string[]): Promise<number> {
  const { values, positionals } = parse(name, command, args)
  const { min, max } = command.positionals ?? { min: 0, max: 0 }
  if (positionals.length < min || positionals.length > max) {
    throw new UsageError(`use: portico ${name} ${command.parameters ?? ''}`.trimEnd())
  }
  const config = loadConfig(settingFlags(command, values))
  return command.run({ config, values, positionals, out: createOutput(values['json'] === true) })
}

function parse(name: string, command: Command, args: string[]) {
  try {
    return parseArgs({ args, options: buildOptions(command), allowPositionals: true, strict: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. To specify')[0] : String(error)
    throw new UsageError(`${reason}; see portico ${name} --help`)
  }
}

/** Finds commands of one word (`serve`) and of two (`partner add`). */
function findVerb(args: string[]): { name: string | undefined; rest: string[] } {
  const [first = '', second = ''] = args
  if (Object.hasOwn(CATALOGUE, `${first} ${second}`))
    return { name: `${first} ${second}`, rest: args.slice(2) }
  if (Object.hasOwn(CATALOGUE, first)) return { name: first, rest: args.slice(1) }
  return { name: undefined, rest: args }
}

const loadCommand = async (name: string): Promise<{ command: Command }> => {
  const entry = CATALOGUE[name]
  if (!entry) throw new UsageError(`unknown command ${name}`)
  return entry.load()
}

function toExitCode(error: unknown): number {
  if (error instanceof UsageError || error instanceof ConfigError) return printError(error.message, 2)
  if (!(error instanceof Error)) return printError(String(error), 1)
  if (error instanceof AppError) return printError(describeFailure(error), 1)
  const systemFailure = describeSystemFailure(error)
  if (systemFailure !== undefined) return printError(systemFailure, 1)
  // Any other error is a defect, so its stack is printed.
  return printError(error instanceof UserFacingError ? error.message : (error.stack ?? error.message), 1)
}

/** At the terminal, internal details may be shown, and each field error is listed. */
function describeFailure({ message, internal, errors }: AppError): string {
  if (internal !== undefined) return internal
  const fields = errors.map((one) => `${one.field} ${one.message}`).filter((line) => !message.includes(line))
  return [message, ...fields].join('\n  ')
}

const SYSTEM_FAILURES: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'part of the path is a file, not a folder',
  ENOENT: 'it does not exist and cannot be created',
  EISDIR: 'it is a folder, not a file',
}

function describeSystemFailure(error: Error): string | undefined {
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) return undefined
  return `cannot use ${path ?? 'a file'}: ${SYSTEM_FAILURES[code] ?? error.message}`
}

function printError(text: string, code: number): number {
  process.stderr.write(`portico: ${text}\n`)
  return code
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

function printVersion(args: string[]): number {
  return print(
    args.includes('--json') ? `${JSON.stringify({ version: getVersion() })}\n` : `${getVersion()}\n`,
  )
}
