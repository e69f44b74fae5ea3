import { HookRunner } from './hooks.ts'
import { type ClientOptions, readEnv, requireOption, requireSecret, requireUrl } from './options.ts'
import { createPacers } from './pace.ts'
import { createSend, type Send } from './send.ts'
import { fromFunction, shareTokens, type TokenSource } from './token.ts'
import { VERSION } from './version.ts'

export interface Client {
  send: Send
  hooks: HookRunner
  /** Undefined if a function of the program supplies the tokens. */
  clientId: string | undefined
}

/** Names of the environment variables with the credentials. */
export interface Variables {
  clientId: string
  clientSecret: string
}

/** The common part of the clients of all surfaces. */
export function createClient(baseUrl: string, options: ClientOptions, variables: Variables): Client {
  const fetcher: typeof fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const hooks = new HookRunner(options)
  const { tokens, clientId } = createTokens(options, variables, fetcher)
  const send = createSend({
    baseUrl,
    fetch: fetcher,
    tokens,
    hooks,
    cache: options.cache,
    clientKey: clientId ?? crypto.randomUUID(),
    findPacer: options.pace === false ? () => undefined : createPacers(baseUrl, clientId),
    headers: { accept: 'application/json', ...toUserAgent(options, globalThis) },
    defaults: options,
  })
  return { send, hooks, clientId }
}

function createTokens(
  { token, ...options }: ClientOptions,
  variables: Variables,
  fetcher: typeof fetch,
): { tokens: TokenSource; clientId: string | undefined } {
  if (token) return { tokens: fromFunction(token), clientId: undefined }
  const read = (value: string | undefined, option: string, variable: string): string =>
    requireOption(value ?? readEnv(variable), option, variable)
  const authUrl = requireUrl(read(options.authUrl, 'authUrl', 'PORTICO_AUTH_URL'), 'authUrl')
  const clientId = read(options.clientId, 'clientId', variables.clientId)
  const clientSecret = requireSecret(read(options.clientSecret, 'clientSecret', variables.clientSecret))
  return { tokens: shareTokens({ authUrl, clientId, clientSecret }, fetcher), clientId }
}

interface Runtime {
  Deno?: { version: { deno: string } }
  Bun?: { version: string }
  process?: { versions?: { node?: string } }
}

/** Browsers and their workers set the header themselves. */
export function toUserAgent(
  { appInfo }: Pick<ClientOptions, 'appInfo'>,
  runtimeGlobals: object,
): Record<string, string> {
  const { Deno, Bun, process } = runtimeGlobals as Runtime
  const short = (version: string): string => version.split('.').slice(0, 2).join('.')
  const [name, version] = Deno
    ? ['deno', Deno.version.deno]
    : Bun
      ? ['bun', Bun.version]
      : ['node', process?.versions?.node]
  if (version === undefined) return {}
  const app = appInfo ? ` (${appInfo.name}${appInfo.version === undefined ? '' : `/${appInfo.version}`})` : ''
  return { 'user-agent': `portico-sdk/${short(VERSION)} ${name}/${short(version)}${app}` }
}
