import { ConfigError, type Environment, type Flags, readSetting } from './read.ts'
import type { Setting } from './settings.ts'
import * as values from './values.ts'

/** A server that commands call, and the credentials of an operator. */
export interface Remote {
  /** Public address, without a path. */
  url: string
  clientId: string
  clientSecret: string
}

/** Settings of commands that call a server. They are not settings of the server. */
export const REMOTE_SETTINGS = {
  url: {
    env: 'PORTICO_URL',
    flag: 'url',
    parse: values.origin,
    placeholder: 'URL',
    help: 'Call the server at this address instead of opening the store.',
  },
  clientId: {
    env: 'PORTICO_CLIENT_ID',
    flag: 'client-id',
    parse: values.word,
    placeholder: 'ID',
    help: 'Client id of an operator, with --url.',
  },
  clientSecret: {
    env: 'PORTICO_CLIENT_SECRET',
    flag: 'client-secret',
    parse: values.word,
    placeholder: 'SECRET',
    help: 'Secret of the operator’s client id, with --url. Other users of the machine can see arguments: prefer the environment.',
    isSecret: true,
  },
} as const satisfies Record<string, Setting<string>>

export function readRemote(flags: Flags, env: Environment): Remote | undefined {
  const read = (setting: Setting<string>): string | undefined => readSetting(setting, flags, env).value
  const url = read(REMOTE_SETTINGS.url)
  if (url === undefined) return undefined
  return {
    url,
    clientId: read(REMOTE_SETTINGS.clientId) ?? missing(REMOTE_SETTINGS.clientId),
    clientSecret: read(REMOTE_SETTINGS.clientSecret) ?? missing(REMOTE_SETTINGS.clientSecret),
  }
}

function missing({ flag, env }: { flag: string; env: string }): never {
  throw new ConfigError(`a command that calls a server needs --${flag} or ${env}`)
}
