import { runCheck } from './cli/check.ts'

interface Runtime {
  process: { argv: string[]; exitCode?: number; stdout: { write(text: string): void } }
}
const { process } = globalThis as unknown as Runtime

const USAGE = `Usage: npx @portico/sdk COMMAND

  check    tries the credentials, the clock, the site, the roles and the rate limit

The commands read PORTICO_BASE_URL, PORTICO_AUTH_URL, PORTICO_CLIENT_ID, PORTICO_CLIENT_SECRET and PORTICO_SITE_ID.
`

const print = (line: string): void => process.stdout.write(`${line}\n`)

const [name] = process.argv.slice(2)
if (name === 'check') process.exitCode = (await runCheck(print)) ? 0 : 1
else {
  process.stdout.write(USAGE)
  process.exitCode = name === undefined || name === '--help' || name === 'help' ? 0 : 2
}
