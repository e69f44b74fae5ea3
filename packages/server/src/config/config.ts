import { resolve } from 'node:path'
import type { ExternalIssuer } from '../domain/identity/token/external-issuer.ts'
import {
  ConfigError,
  type Environment,
  type Flags,
  readSetting,
  readSettings,
  type Settings,
} from './read.ts'
import { readRemote, REMOTE_SETTINGS, type Remote } from './remote.ts'
import { type DerivedDefaults, type ReportedSetting, reportSettings } from './report.ts'
import type { DatabaseAddress } from './values.ts'

export { ConfigError } from './read.ts'

/** The validated configuration of one process. */
export interface Config extends Omit<Settings, 'database' | 'mqttsPort' | 'outsideIssuer'> {
  database: DatabaseAddress
  /** Undefined if it is not set: it then depends on the port that the server listens on. */
  publicUrl: string | undefined
  tls: { certFile: string; keyFile: string } | undefined
  externalIssuer: ExternalIssuer | undefined
  /** Whether the port was set explicitly: if it is in use, the server then does not choose another one. */
  isPortGiven: boolean
  /** Whether the tenant was set explicitly: if not, that of the server on the store is used. */
  isTenantGiven: boolean
  /** Whether the data folder or the database was set explicitly. */
  isStoreGiven: boolean
  isMqttPortGiven: boolean
  isMetricsPortGiven: boolean
  /** Address on which the embedded broker listens without TLS. */
  mqttHost: string
  /** Port on which the embedded broker listens with TLS, on `host`; undefined if it does not. */
  mqttsPort: number | undefined
  isMqttsPortGiven: boolean
}

/** The functions below are the only ones that read the environment. */
export function loadConfig(flags: Flags = {}, env: Environment = process.env): Config {
  const { settings, given } = readSettings(flags, env)
  const dataDir = resolve(settings.dataDir)
  const externalIssuer = toExternalIssuer(settings)
  const tls = toTls(settings)
  const isMqttPortGiven = given.has('mqttPort')
  const isMqttsPortGiven = given.has('mqttsPort') && settings.mqttsPort !== 'off'
  if (isMqttsPortGiven && !tls) throw new ConfigError('--mqtts-port needs --tls-cert and --tls-key')
  if (!settings.builtInIssuer && !externalIssuer) {
    throw new ConfigError('BUILTIN_ISSUER=off needs OUTSIDE_ISSUER: without an issuer, no token is accepted')
  }
  return {
    ...settings,
    dataDir,
    database: settings.database ?? { kind: 'sqlite', file: resolve(dataDir, 'portico.db') },
    tls,
    externalIssuer,
    isPortGiven: given.has('port'),
    isTenantGiven: given.has('tenant'),
    isStoreGiven: given.has('dataDir') || given.has('database'),
    isMqttPortGiven,
    // With TLS configured, an unencrypted port is open to the network only if it was requested.
    mqttHost: tls && !isMqttPortGiven ? '127.0.0.1' : settings.host,
    mqttsPort: tls && settings.mqttsPort !== 'off' ? settings.mqttsPort : undefined,
    isMqttsPortGiven,
    isMetricsPortGiven: given.has('metricsPort'),
  }
}

/** The server that commands call instead of opening a store; undefined if none is set. */
export const loadRemote = (flags: Flags, env: Environment = process.env): Remote | undefined =>
  readRemote(flags, env)

/** How the user has started the command line: npx sets the variable. */
export const getProgramName = (): string =>
  process.env['npm_command'] === 'exec' ? 'npx portico' : 'portico'

/** Whether the environment names a server for commands to call. */
export const isRemoteSet = (env: Environment = process.env): boolean =>
  readSetting(REMOTE_SETTINGS.url, {}, env).source !== undefined

/**
 * Every setting with the value that a server, or a command that calls one, would use, as text, and its source. For
 * `portico config show`.
 */
export const loadSettingReport = (
  flags: Flags,
  isTerminal: boolean,
  env: Environment = process.env,
): ReportedSetting[] => reportSettings(flags, env, deriveDefaults(loadConfig(flags, env), isTerminal))

function deriveDefaults(config: Config, isTerminal: boolean): DerivedDefaults {
  const { database, port, tls, demo } = config
  return {
    ...(database.kind === 'sqlite' ? { database: `sqlite:${database.file}` } : {}),
    // The server chooses port 0 when it starts.
    ...(port === 0 ? {} : { publicUrl: toAddresses(config, port).publicUrl }),
    logFormat: isTerminal ? 'pretty' : 'json',
    ...(tls ? {} : { mqttsPort: 'off' }),
    webhookAllowedNetworks: demo ? 'loopback' : 'none',
  }
}

function toTls({ tlsCert, tlsKey }: Settings): Config['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined) throw new ConfigError('--tls-key needs --tls-cert')
  if (tlsKey === undefined) throw new ConfigError('--tls-cert needs --tls-key')
  return { certFile: tlsCert, keyFile: tlsKey }
}

function toExternalIssuer(settings: Settings): ExternalIssuer | undefined {
  const { outsideIssuer: issuer, outsideIssuerJwks: jwksUrl, outsideIssuerAudience: audiences } = settings
  if (issuer === undefined && jwksUrl === undefined && audiences === undefined) return undefined
  if (issuer === undefined)
    throw new ConfigError('OUTSIDE_ISSUER_JWKS and OUTSIDE_ISSUER_AUDIENCE need OUTSIDE_ISSUER')
  if (jwksUrl === undefined)
    throw new ConfigError('OUTSIDE_ISSUER needs OUTSIDE_ISSUER_JWKS, the address of its key set')
  if (audiences === undefined) {
    throw new ConfigError(
      'OUTSIDE_ISSUER needs OUTSIDE_ISSUER_AUDIENCE: without it, tokens for any other service would be accepted',
    )
  }
  return { issuer, jwksUrl, audiences }
}

/** The addresses that partners use, all derived from the configuration. */
export interface Addresses {
  publicUrl: string
  authUrl: string
  issuer: string
  baseUrl: string
  baseUrlV1: string
  operatorUrl: string
}

/** The file with the credentials of the demo. */
export const toDemoFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => resolve(dataDir, 'demo.env')

/** `port` is part of the addresses unless PUBLIC_URL is set. */
export function toAddresses(config: Pick<Config, 'publicUrl' | 'tls' | 'tenant'>, port: number): Addresses {
  const publicUrl = config.publicUrl ?? `${config.tls ? 'https' : 'http'}://localhost:${port}`
  const { tenant } = config
  const authUrl = `${publicUrl}/${tenant}`
  return {
    publicUrl,
    authUrl,
    issuer: `${authUrl}/v2.0`,
    baseUrl: `${publicUrl}/v2`,
    baseUrlV1: `${publicUrl}/v1`,
    operatorUrl: `${publicUrl}/operator`,
  }
}
