import { runCheck } from './cli/check.ts'
import { runListen } from './cli/listen.ts'
import { type MirrorOptions, runMirror } from './cli/mirror.ts'
import { PorticoError, type SiteEventType, VERSION } from './index.ts'

interface Output {
  write(text: string): void
}

interface Runtime {
  process: { argv: string[]; exitCode?: number; stdout: Output; stderr: Output }
}
const { process } = globalThis as unknown as Runtime

const USAGE = `Usage: npx @portico/sdk COMMAND [OPTIONS]

  check                   check the credentials, the clock, the site, the roles and the rate limit
  listen --forward URL    forward the events of the site to a local address, signed as webhooks
    --types TYPE,…        forward these types only
    --after NUMBER        start after this event instead of with the next one
  mirror DIR              keep a folder of Parquet files, one per month, identical to the data of the site’s spaces
    --interval LENGTH     length of the windows: PT15M, PT30M or PT1H (default PT1H)
    --from MONTH          first month, such as 2026-01 (default: eleven months before the current one)
    --once                exit when the folder is up to date

Credentials come from the environment: PORTICO_BASE_URL, PORTICO_AUTH_URL, PORTICO_CLIENT_ID, PORTICO_CLIENT_SECRET
and PORTICO_SITE_ID.
`

/** Invalid arguments; the message is printed together with the usage. */
class UsageError extends Error {}

const print = (line: string): void => process.stdout.write(`${line}\n`)

/** The values of options, each given as `--name value` or `--name=value`. */
function parseOptions(args: readonly string[], names: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  const rest = args.flatMap((arg) => (arg.startsWith('--') && arg.includes('=') ? splitOnce(arg) : [arg]))
  for (let index = 0; index < rest.length; index += 2) {
    const [arg = '', value] = [rest[index], rest[index + 1]]
    const name = arg.replace(/^--/, '')
    if (!arg.startsWith('--')) throw new UsageError(`unexpected argument: ${arg}`)
    if (!names.includes(name)) throw new UsageError(`unknown option: ${arg}`)
    if (value === undefined) throw new UsageError(`${arg} needs a value`)
    values.set(name, value)
  }
  return values
}

const splitOnce = (arg: string): string[] => [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)]

const requireMatch = (value: string | undefined, pattern: RegExp, option: string, example: string): void => {
  if (value !== undefined && !pattern.test(value))
    throw new UsageError(`${option} is not valid: ${value}; use ${example}`)
}

async function listen(args: readonly string[]): Promise<void> {
  const options = parseOptions(args, ['forward', 'types', 'after'])
  const [forward, after] = [options.get('forward'), options.get('after')]
  if (forward === undefined) throw new UsageError('listen needs --forward URL')
  if (!/^https?:/.test(forward) || !URL.canParse(forward))
    throw new UsageError(
      `--forward is not an address: ${forward}; use one such as http://localhost:3000/hooks`,
    )
  requireMatch(after, /^\d+$/, '--after', 'the number of an event')
  const types = options.get('types')?.split(',') as SiteEventType[] | undefined
  await runListen(print, { forward, types, after: after === undefined ? undefined : Number(after) })
}

async function mirror(args: readonly string[]): Promise<void> {
  const isOnce = args.includes('--once')
  const [folder = '', ...rest] = args.filter((arg) => arg !== '--once')
  if (folder === '' || folder.startsWith('-')) throw new UsageError('mirror needs a folder: mirror DIR')
  const options = parseOptions(rest, ['interval', 'from'])
  const [interval, from] = [options.get('interval'), options.get('from')]
  requireMatch(interval, /^PT(15M|30M|1H)$/, '--interval', 'PT15M, PT30M or PT1H')
  requireMatch(from, /^\d{4}-(0[1-9]|1[0-2])$/, '--from', 'a month such as 2026-01')
  await runMirror(print, { folder, interval: interval as MirrorOptions['interval'], from, isOnce })
}

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || [name, ...args].some((arg) => ['--help', '-h', 'help'].includes(arg))) {
    process.stdout.write(USAGE)
    return 0
  }
  if (name === '--version') print(VERSION)
  else if (name === 'listen') await listen(args)
  else if (name === 'mirror') await mirror(args)
  else if (name !== 'check') throw new UsageError(`unknown command: ${name}`)
  else if (args[0] !== undefined) throw new UsageError(`unexpected argument: ${args[0]}`)
  else return (await runCheck(print)) ? 0 : 1
  return 0
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof UsageError
  const message = isUsage || error instanceof PorticoError ? error.message : String(error)
  process.stderr.write(isUsage ? `${message}\n\n${USAGE}` : `${message}\n`)
  process.exitCode = isUsage ? 2 : 1
}
