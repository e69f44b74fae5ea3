import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, getProgramName, toDemoFile } from '../config/config.ts'
import { isEnabledOperator } from '../domain/identity/partner/partner.ts'
import { SERVER } from '../domain/identity/audit.ts'
import type { Services } from '../http/services.ts'
import { toShellWord } from '../kernel/shell.ts'
import type { PreparedDemo } from './demo.ts'
import type { Ports } from './ports.ts'

interface ReadyFacts {
  config: Config
  ports: Ports
  services: Pick<Services, 'addresses' | 'directory' | 'partners' | 'sessions'>
  isDemo: boolean
  /** The partners of the demo that get a link to the console. */
  demoClientIds: PreparedDemo['clientIds']
  metricsUrl: string | undefined
}

const ALL = 10_000

/** The addresses and folders that are printed when the server is ready. */
export async function describeReady({
  config,
  ports,
  services,
  isDemo,
  demoClientIds,
  metricsUrl,
}: ReadyFacts): Promise<string> {
  const { publicUrl, baseUrl, operatorUrl } = services.addresses
  const rows: [string, string][] = [
    ...describeListener(config, ports, publicUrl),
    ['API', baseUrl],
    ['Operator API', operatorUrl],
    ['Reference', `${publicUrl}/reference`],
    ['Docs', `${publicUrl}/docs`],
    ...(await describeConsole(config, services, demoClientIds)),
    ['Operator', await describeOperator(config, services, isDemo)],
    ['MQTT', describeMqtt(config, ports)],
    ...(metricsUrl === undefined ? [] : [['Metrics', metricsUrl] as [string, string]]),
    ...describeStore(config),
    ['Data', config.dataDir],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return `Portico is ready at ${publicUrl}

${rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('')}
Press Ctrl-C to stop.

`
}

/** Where the server listens, if the other addresses do not tell: they may be those of a proxy. */
function describeListener({ host, tls }: Config, { http }: Ports, publicUrl: string): [string, string][] {
  const { port, protocol } = new URL(publicUrl)
  if (Number(port || (protocol === 'https:' ? 443 : 80)) === http) return []
  return [['Listening', `${tls ? 'https' : 'http'}://${host}:${http}`]]
}

/** Longer than for other links: users may read the terminal output first. */
const DEMO_LINK_MS = 3_600_000

/** The address of the console; for the demo, also links that sign a browser in. */
async function describeConsole(
  { console: isOn, builtInIssuer }: Config,
  { addresses, directory, sessions }: ReadyFacts['services'],
  clientIds: ReadyFacts['demoClientIds'],
): Promise<[string, string][]> {
  if (!isOn) return []
  const page = `${addresses.publicUrl}/console`
  const rows: [string, string][] = [['Console', page]]
  if (!clientIds || !builtInIssuer) return rows
  for (const [name, clientId] of Object.entries(clientIds)) {
    const client = await directory.find(clientId)
    if (!client?.enabled) continue
    const { code } = await sessions.addCode(client.partnerUuid, SERVER, DEMO_LINK_MS)
    rows.push([`  as ${name}`, `${page}/enter?code=${code} (once, within an hour)`])
  }
  return rows
}

async function describeOperator(
  config: Config,
  { partners }: ReadyFacts['services'],
  isDemo: boolean,
): Promise<string> {
  const demoFile = toDemoFile(config)
  if (isDemo && existsSync(demoFile)) return `credentials in ${demoFile}`
  const all = await partners.list({ after: undefined, limit: ALL })
  const operators = all.filter(isEnabledOperator)
  const [first] = operators
  if (!first)
    return `none yet; create one${describeCommand(config, 'partner add --name NAME --role Operator')}`
  const others = operators.length > 1 ? ` and ${operators.length - 1} more` : ''
  return `${first.name}, client id ${first.clientId}${others}; its secret was shown when it was added`
}

const isInDataDir = ({ database, dataDir }: Config): boolean =>
  database.kind === 'sqlite' && database.file === join(dataDir, 'portico.db')

/** A command for the store of this server, to be pasted. An address with a password is not repeated. */
function describeCommand(config: Config, command: string): string {
  const { database, dataDir } = config
  const program = getProgramName()
  if (database.kind === 'postgres') return ` with this DATABASE_URL: ${program} ${command}`
  const store = isInDataDir(config) ? ['--data', dataDir] : ['--database', `sqlite:${database.file}`]
  return `: ${program} ${command} ${store.map(toShellWord).join(' ')}`
}

/** The store, unless it is the usual file in the data folder. */
function describeStore(config: Config): [string, string][] {
  const { database } = config
  if (isInDataDir(config)) return []
  if (database.kind === 'sqlite') return [['Store', database.file]]
  const { host, pathname } = new URL(database.url)
  return [['Store', `PostgreSQL, ${host}${pathname}`]]
}

function describeMqtt({ mqttUrl, mqttHost, host }: Config, { mqtt, mqtts }: Ports): string {
  if (mqttUrl !== undefined) return 'external broker (MQTT_URL)'
  const plain = `mqtt://${mqttHost}:${mqtt}`
  return mqtts === undefined ? plain : `${plain}, mqtts://${host}:${mqtts}`
}
