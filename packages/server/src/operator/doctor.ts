import { isEnabledOperator } from '../domain/identity/partner/partner.ts'
import { X509Certificate } from 'node:crypto'
import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { AppError, UserFacingError } from '../kernel/errors.ts'
import { createConsoleAssets } from '../http/console/assets.ts'
import { systemClock } from '../kernel/clock.ts'
import { parseBrokerAddress } from '../mqtt/brokers/address.ts'
import { checkConnection } from '../mqtt/brokers/connection.ts'
import { type Operator, openOperator, toPublicAddresses } from './operator.ts'
import type { Store, VerifyProgress } from '../store/store.ts'
import { readTls } from '../process/tls.ts'

export interface Finding {
  check: string
  isFine: boolean
  detail: string
}

const MIN_FREE_BYTES = 512 * 1024 * 1024
const DAY_MS = 86_400_000
const RENEW_BEFORE_DAYS = 14

type Check = [name: string, look: () => string | Promise<string>]

/** Runs all checks and returns their findings. A check fails by throwing its finding. */
export async function examineInstallation(config: Config, deep?: DeepExamination): Promise<Finding[]> {
  const opened = await open(config)
  if ('detail' in opened)
    return [
      opened,
      ...(await collectFindings(checksAround(config, { publicUrl: toPublicAddresses(config).publicUrl }))),
    ]
  await using operator = opened
  const addresses = await findServerAddresses(config, operator)
  const findings = await collectFindings([
    ...storeChecks(config, operator),
    ...checksAround(config, addresses),
  ])
  return deep ? [...findings, ...(await verifyStoredData(operator, deep))] : findings
}

/** Options for verifying the whole store. */
export interface DeepExamination {
  progress: VerifyProgress
}

async function verifyStoredData({ store }: Operator, { progress }: DeepExamination): Promise<Finding[]> {
  const check = 'verification'
  try {
    const faults = await store.verify(progress)
    if (faults.length === 0) return [{ check, isFine: true, detail: 'every checksum and rollup is correct' }]
    return faults.map((fault) => ({ check, isFine: false, detail: `${fault}; ${remedyFor(fault)}` }))
  } catch (error) {
    return [{ check, ...failure(error) }]
  }
}

const remedyFor = (fault: string): string =>
  /^(rollup_days|rollup_months|latest_readings|series_days)\b/.test(fault)
    ? 'a running server rebuilds it if its readings are still stored; otherwise restore a backup'
    : 'restore a backup, or import the lost readings again and run: portico doctor --accept-loss'

/** Gives up damaged readings; returns the number of time spans affected. */
export async function acceptLoss(config: Config): Promise<number> {
  await using operator = await openOperator(config, { create: false })
  return await operator.store.acceptLoss()
}

/** A store that cannot be opened is a finding, and the only one about the store. */
async function open(config: Config): Promise<Operator | Finding> {
  try {
    return await openOperator(config, { create: false })
  } catch (error) {
    if (!(error instanceof AppError || error instanceof UserFacingError)) throw error
    return { check: config.database.kind === 'sqlite' ? 'store' : 'database', ...failure(error) }
  }
}

async function collectFindings(checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [check, look] of checks) {
    try {
      findings.push({ check, isFine: true, detail: await look() })
    } catch (error) {
      findings.push({ check, ...failure(error) })
    }
  }
  return findings
}

function failure(error: unknown): Pick<Finding, 'isFine' | 'detail'> {
  if (!(error instanceof Error)) return { isFine: false, detail: String(error) }
  const internal = error instanceof AppError ? error.internal : undefined
  return { isFine: false, detail: internal ?? error.message }
}

/** Addresses that are set explicitly, otherwise those of the server that started last on the store. */
interface KnownAddresses {
  publicUrl: string
  /** Absent if no server has started on the store. */
  brokerUrl?: string
}

async function findServerAddresses(config: Config, { store, addresses }: Operator): Promise<KnownAddresses> {
  const { publicUrl } = addresses
  if (config.isMqttPortGiven || config.isMqttsPortGiven) return { publicUrl }
  const recorded = await store.serverAddresses()
  return { publicUrl, ...(recorded?.mqttUrl === undefined ? {} : { brokerUrl: recorded.mqttUrl }) }
}

/** Checks that need no store. */
const checksAround = (config: Config, { publicUrl, brokerUrl }: KnownAddresses): Check[] => [
  ['public address', () => publicAddress(publicUrl)],
  ['certificate', () => certificate(config)],
  ['MQTT broker', () => mqttBroker(config, brokerUrl)],
  ['web console', () => webConsole(config)],
]

const storeChecks = (config: Config, operator: Operator): Check[] => [
  ...placeChecks(config, operator),
  ['schema', () => schema(operator)],
  ['stored data', () => storedData(operator)],
  ['background maintenance', () => maintenance(operator)],
  ['signing key', () => signingKey(operator)],
  ['operator credential', () => operatorCredential(operator)],
]

function placeChecks({ database }: Config, { store }: Operator): Check[] {
  if (database.kind === 'postgres') {
    const { host, pathname } = new URL(database.url)
    return [
      ['database', () => store.ping().then(() => `${host}${pathname} answers`)],
      ['page checksums', () => pageChecksums(store)],
    ]
  }
  const { file } = database
  return [
    ['data folder', () => writableFolder(dirname(file))],
    ['file permissions', () => ownerOnly(file)],
    ['free disk space', () => freeSpace(dirname(file))],
  ]
}

async function pageChecksums(store: Store): Promise<string> {
  return (await store.hasPageChecksums())
    ? 'on'
    : 'off: the database does not detect damaged pages; stop it and run: pg_checksums --enable'
}

function writableFolder(folder: string): string {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new Error(`${folder} cannot be written`)
  }
  return folder
}

function ownerOnly(file: string): string {
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) !== 0) throw new Error(`${file} can be read by others; run: chmod 600 ${file}`)
  return 'readable by its owner only'
}

function freeSpace(folder: string): string {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB`
  if (free < MIN_FREE_BYTES) throw new Error(`only ${text} left; writes stop when the disk is full`)
  return text
}

async function schema({ store }: Operator): Promise<string> {
  const pending = await store.pendingMigrations()
  if (pending.length > 0) throw new Error(`${pending.length} migrations pending; run: portico migrate`)
  return 'up to date'
}

async function storedData({ store }: Operator): Promise<string> {
  const faults = await store.checkIntegrity()
  if (faults.length > 0)
    throw new Error(
      `damaged (${faults[0]}); run portico doctor --deep for details, then restore a backup: portico restore FILE`,
    )
  return 'sound'
}

async function maintenance({ store }: Operator): Promise<string> {
  const [last, ...others] = await store.maintenanceFailures()
  if (!last) return 'no failures'
  const { task, subject, attempts, failedAt, retryAt, message } = last
  throw new Error(
    `${task}${subject === '' ? '' : ` of ${subject}`} failed ${attempts} times, last at ${toIso(failedAt)} (${message}); ` +
      `the next attempt is due at ${toIso(retryAt)}${others.length === 0 ? '' : `; ${others.length} more failures`}`,
  )
}

const toIso = (at: number): string => new Date(at).toISOString()

async function signingKey({ store }: Operator): Promise<string> {
  const keys = await store.keys.list()
  const current = keys.find((key) => key.retiredAt === null)
  if (!current) return 'none yet; the server creates one at its first start'
  return `${current.algorithm}, ${Math.floor((systemClock.now() - current.createdAt) / DAY_MS)} days old`
}

async function operatorCredential({ partners }: Operator): Promise<string> {
  const all = await partners.list({ after: undefined, limit: 10_000 })
  const operators = all.filter(isEnabledOperator)
  if (operators.length === 0)
    throw new Error('none; run: portico partner add --name "Operator" --role Operator')
  return operators.map((partner) => partner.name).join(', ')
}

function publicAddress(publicUrl: string): string {
  const isLocal = /\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
  if (!isLocal && publicUrl.startsWith('http:'))
    throw new Error(`${publicUrl} is not https: secrets and tokens would be sent unencrypted`)
  return isLocal
    ? `${publicUrl} (this machine only; partners on other machines need --public-url)`
    : publicUrl
}

function certificate({ tls }: Config): string {
  if (!tls) return 'none: TLS is off or terminated by a proxy'
  readTls(tls)
  const { validToDate, subject } = new X509Certificate(readFileSync(tls.certFile))
  const days = Math.floor((validToDate.getTime() - systemClock.now()) / DAY_MS)
  if (days < RENEW_BEFORE_DAYS) throw new Error(`${subject} expires in ${days} days; renew it`)
  return `${subject.replaceAll('\n', ', ')}, ${days} days left`
}

async function webConsole({ console: isOn }: Config): Promise<string> {
  if (!isOn) return 'off'
  const { folder, loadManifest } = createConsoleAssets()
  const manifest = await loadManifest()
  return manifest
    ? 'built'
    : `not built: ${folder} has no manifest.json; run: npm ci && npm run build:console`
}

async function mqttBroker(
  { host, mqttHost, mqttPort, mqttsPort, mqttUrl }: Config,
  brokerUrl: string | undefined,
): Promise<string> {
  if (mqttUrl === undefined) {
    if (brokerUrl !== undefined) return `${brokerUrl}, as used by the server that started last`
    const secure = mqttsPort === undefined ? '' : `, with TLS on ${host} port ${mqttsPort},`
    return `embedded, on ${mqttHost} port ${mqttPort}${secure} while the server runs`
  }
  const address = parseBrokerAddress(mqttUrl)
  const reason = await checkConnection(address)
  if (reason !== undefined) throw new Error(`${address.url} cannot be used: ${reason}`)
  return `${address.url} answers`
}
