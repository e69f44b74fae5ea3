import { runCheck } from './cli/check.ts'
import { runListen } from './cli/listen.ts'
import { type MirrorOptions, runMirror } from './cli/mirror.ts'
import { PorticoError, type SiteEventType } from './index.ts'

interface Runtime {
  process: { argv: string[]; exitCode?: number; stdout: { write(text: string): void } }
}
const { process } = globalThis as unknown as Runtime

const USAGE = `Usage: npx @portico/sdk COMMAND

  check                   tries the credentials, the clock, the site, the roles and the rate limit
  listen --forward URL    posts the events of the site to a local address, signed as webhooks
    --types TYPE,…        only these types
    --after NUMBER        starts after this event; by default, with the next one
  mirror DIR              keeps a folder of Parquet files, one per month, equal to the data of the site’s spaces
    --interval LENGTH     of a window: PT15M, PT30M or PT1H; by default, PT1H
    --from MONTH          the first month, as 2026-01; by default, eleven months before the current one
    --once                ends when the folder is up to date

The commands read PORTICO_BASE_URL, PORTICO_AUTH_URL, PORTICO_CLIENT_ID, PORTICO_CLIENT_SECRET and PORTICO_SITE_ID.
`

const print = (line: string): void => process.stdout.write(`${line}\n`)

/** The values of options, each given as `--name value` or `--name=value`; undefined if an argument is none of them. */
function parseOptions(args: readonly string[], names: readonly string[]): Map<string, string> | undefined {
  const values = new Map<string, string>()
  const rest = args.flatMap((arg) => (arg.startsWith('--') && arg.includes('=') ? splitOnce(arg) : [arg]))
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', value] = [rest[index]?.replace(/^--/, ''), rest[index + 1]]
    if (!names.includes(name) || value === undefined) return undefined
    values.set(name, value)
  }
  return values
}

const splitOnce = (arg: string): string[] => [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)]

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === 'check' && args.length === 0) return (await runCheck(print)) ? 0 : 1
  if (name === 'listen') {
    const options = parseOptions(args, ['forward', 'types', 'after'])
    const forward = options?.get('forward')
    if (forward !== undefined && URL.canParse(forward)) {
      const types = options?.get('types')?.split(',') as SiteEventType[] | undefined
      const after = options?.get('after')
      await runListen(print, { forward, types, after: after === undefined ? undefined : Number(after) })
      return 0
    }
  }
  if (name === 'mirror') {
    const isOnce = args.includes('--once')
    const [folder = '', ...rest] = args.filter((arg) => arg !== '--once')
    const options = folder.startsWith('-') ? undefined : parseOptions(rest, ['interval', 'from'])
    const interval = options?.get('interval') as MirrorOptions['interval']
    const from = options?.get('from')
    const isValid =
      (interval === undefined || ['PT15M', 'PT30M', 'PT1H'].includes(interval)) &&
      (from === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(from))
    if (options && folder !== '' && isValid) {
      await runMirror(print, { folder, interval, from, isOnce })
      return 0
    }
  }
  process.stdout.write(USAGE)
  return name === undefined || name === '--help' || name === 'help' ? 0 : 2
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  print(error instanceof PorticoError ? error.message : String(error))
  process.exitCode = 1
}
