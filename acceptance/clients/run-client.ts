import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { systemPython } from '../support/servers/test-tools.ts'
import { buildGoClient } from './build-go-client.ts'
import type { StockClient } from './stock-clients.ts'

/** The partner's credentials, and the certificate authority to trust if the server uses a local one. */
export interface Account {
  authUrl: string
  clientId: string
  clientSecret: string
  caFile?: string
}

/** Result of one run of a client program. */
export interface Run {
  code: number | null
  tokens: string[]
  stderr: string
}

export type ClientRunner = (client: Pick<StockClient, 'program' | 'ways'>, account: Account) => Promise<Run>

const programsFolder = join(import.meta.dirname, 'programs')

/** Runs client programs with the account in their environment; compiled programs go to `folder`. */
export function createClientRunner(folder: string): ClientRunner {
  let goProgram: Promise<string> | undefined

  async function commandFor(program: string): Promise<[string, ...string[]]> {
    const file = join(programsFolder, program)
    if (program.endsWith('.go')) return [await (goProgram ??= buildGoClient(file, folder))]
    return program.endsWith('.py') ? [systemPython, file] : [process.execPath, file]
  }

  return async ({ program, ways }, account) => {
    const [command, ...args] = await commandFor(program)
    return run(command, [...args, ...ways], environment(account))
  }
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>()
  const child = execFile(command, args, { env, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
    const tokens = stdout.split('\n').filter((line) => line !== '')
    resolve({ code: child.exitCode, tokens, stderr: stderr || (error?.message ?? '') })
  })
  return promise
}

function environment({ authUrl, clientId, clientSecret, caFile }: Account): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NO_PROXY: 'localhost,127.0.0.1',
    no_proxy: 'localhost,127.0.0.1',
    AUTH_URL: authUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    ...(caFile === undefined ? {} : trusting(caFile)),
  }
}

/** Every language has its own variable for a trusted certificate authority. */
function trusting(caFile: string): Record<string, string> {
  return {
    NODE_EXTRA_CA_CERTS: caFile,
    REQUESTS_CA_BUNDLE: caFile,
    SSL_CERT_FILE: caFile,
    CURL_CA_BUNDLE: caFile,
  }
}
