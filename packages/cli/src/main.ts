import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Config, isRemoteSet, loadConfig, loadRemote } from '@portico/server/config/config'
import type { Remote } from '@portico/server/config/remote'
import { getVersion } from '@portico/server/kernel/version'
import { CATALOGUE } from './catalogue.ts'
import { type Command, UsageError, type Values } from './command.ts'
import { describeSystemError, formatFailure, toFailure } from './failure.ts'
import { commandHelp, familyHelp, generalHelp } from './help.ts'
import { buildOptions, findVariable, remoteFlags, settingFlags } from './options.ts'
import { createOutput } from './output.ts'
import { describeUnknown, describeUnknownOption, findVerb } from './verbs.ts'

/** Exit codes: 0 success, 1 failure, 2 incorrect usage, 130 or 143 interrupted. */
export async function main(args: string[]): Promise<number> {
  // `portico … | head`: a reader that closes the pipe early is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    const message = `cannot write the output: ${describeSystemError(error)}`
    const failure = { exitCode: 1, code: 'failed', message, errors: [] } as const
    // Synchronous, because the process exits before a stream to a pipe is written.
    writeSync(2, `${formatFailure(failure, asksForJson(args))}\n`)
    process.exit(1)
  })
  try {
    return await dispatch(args)
  } catch (error) {
    const failure = toFailure(error)
    process.stderr.write(`${formatFailure(failure, asksForJson(args))}\n`)
    return failure.exitCode
  }
}

/** Also for `--json=x`, which is incorrect usage. */
const asksForJson = (args: readonly string[]): boolean => args.some((arg) => /^--json(=|$)/.test(arg))

const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')

async function dispatch(args: string[]): Promise<number> {
  if (args[0] === 'help') return help(args.slice(1).filter((arg) => !arg.startsWith('-')))
  const { name, rest } = findVerb(args)
  if (name === undefined) {
    const words = args.filter((arg) => !arg.startsWith('-'))
    if (words.length === 0 && (args.includes('--version') || args.includes('-v'))) return printVersion(args)
    if (args.length === 0) return print(generalHelp())
    if (asksForHelp(args)) return help(words)
    throw new UsageError(words.length === 0 ? 'no command given; see portico help' : describeUnknown(words))
  }
  if (rest.includes('--version')) return printVersion(rest)
  if (asksForHelp(rest)) return help(name.split(' '))
  return run(name, await loadCommand(name), rest)
}

/** Help for everything, for a group of commands such as `partner`, or for one command. */
async function help(words: string[]): Promise<number> {
  if (words.length === 0) return print(generalHelp())
  const { name } = findVerb(words)
  if (name !== undefined) return print(commandHelp(name, await loadCommand(name)))
  const [family = ''] = words
  const verbs = Object.keys(CATALOGUE).filter((verb) => verb.startsWith(`${family} `))
  if (verbs.length > 0 && words.length === 1) return print(familyHelp(family, verbs))
  throw new UsageError(describeUnknown(words))
}

async function run(name: string, command: Command, args: string[]): Promise<number> {
  const { values, positionals } = parse(name, command, args)
  const { min, max } = command.positionals ?? { min: 0, max: 0 }
  if (positionals.length < min || positionals.length > max) {
    throw new UsageError(`use: portico ${name} ${command.parameters ?? ''}`.trimEnd())
  }
  const flags = settingFlags(command, values)
  const config = loadConfig(flags)
  const remote = findRemote(name, command, values, config)
  const out = createOutput(values['json'] === true)
  return command.run({
    config,
    flags,
    values,
    positionals,
    out,
    async connect(options = { create: false }) {
      if (remote) return (await import('./client/http-client.ts')).createHttpClient(remote, out.note)
      return (await import('./client/local-client.ts')).openLocalClient(config, options)
    },
  })
}

/** The server to call. A store named by a flag takes precedence over a server named in the environment. */
function findRemote(name: string, command: Command, values: Values, config: Config): Remote | undefined {
  const given = remoteFlags(command, values)
  if (command.localOnly !== undefined) {
    if (Object.keys(given).length > 0)
      throw new UsageError(`portico ${name} does not accept --url: ${command.localOnly}`)
    if (command.opensStore && !config.isStoreGiven && isRemoteSet())
      throw new UsageError(
        `portico ${name} works on a store of this machine, but PORTICO_URL names a server; name the store with --data or --database, or unset PORTICO_URL`,
      )
    return undefined
  }
  if (given['url'] !== undefined && values['database'] !== undefined)
    throw new UsageError('--url and --database cannot be combined')
  if (given['url'] === undefined && (values['data'] !== undefined || values['database'] !== undefined))
    return undefined
  const remote = loadRemote(given)
  if (!remote && Object.keys(given).length > 0)
    throw new UsageError('--client-id and --client-secret need --url or PORTICO_URL')
  return remote
}

function parse(name: string, command: Command, args: string[]) {
  const options = buildOptions(command)
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    const unknown = /^Unknown option '(--[^']+)'/.exec(error instanceof Error ? error.message : '')?.[1]
    if (unknown !== undefined) {
      const variable = findVariable(command, unknown)
      throw new UsageError(
        variable === undefined
          ? describeUnknownOption(unknown, name, Object.keys(options))
          : `unknown option ${unknown}; set ${variable} in the environment`,
      )
    }
    const incomplete = /^Option '(?:-\w, )?(--[^' ]+) <value>' argument missing/.exec(
      error instanceof Error ? error.message : '',
    )?.[1]
    if (incomplete !== undefined)
      throw new UsageError(`${incomplete} needs a value; see portico ${name} --help`)
    const reason = error instanceof Error ? error.message.split('. To specify')[0] : String(error)
    throw new UsageError(`${reason}; see portico ${name} --help`)
  }
}

async function loadCommand(name: string): Promise<Command> {
  const entry = CATALOGUE[name]
  if (!entry) throw new UsageError(`unknown command ${name}`)
  return (await entry.load()).command
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
