import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Services } from '../http/services.ts'
import type { Ports } from './runtime.ts'

interface ReadyFacts {
  config: Config
  ports: Ports
  services: Pick<Services, 'addresses' | 'partners'>
  isDemo: boolean
  metricsUrl: string | undefined
}

const ALL = 10_000

/** Where everything is, printed when the server is ready. */
export async function describeReady({
  config,
  ports,
  services,
  isDemo,
  metricsUrl,
}: ReadyFacts): Promise<string> {
  const { publicUrl, baseUrl, operatorUrl } = services.addresses
  const rows: [string, string][] = [
    ['API', baseUrl],
    ['Operator API', operatorUrl],
    ['Reference', `${publicUrl}/reference`],
    ['Docs', `${publicUrl}/docs`],
    ['Operator', await describeOperator(config, services, isDemo)],
    ['MQTT', describeMqtt(config, ports)],
    ...(metricsUrl === undefined ? [] : [['Metrics', metricsUrl] as [string, string]]),
    ['Data', config.dataDir],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return `Portico is ready at ${publicUrl}

${rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('')}
Press Ctrl-C to stop.

`
}

async function describeOperator(
  { dataDir }: Config,
  { partners }: ReadyFacts['services'],
  isDemo: boolean,
): Promise<string> {
  if (isDemo) return `credentials in ${join(dataDir, 'demo.env')}`
  const all = await partners.list({ after: undefined, limit: ALL })
  const operators = all.filter(({ enabled, roles }) => enabled && roles.includes('Operator'))
  const [first] = operators
  if (!first) return `none yet; create one: portico partner add --name NAME --role Operator --data ${dataDir}`
  const others = operators.length > 1 ? ` and ${operators.length - 1} more` : ''
  return `${first.name}, client id ${first.clientId}${others}; its secret was shown when it was added`
}

function describeMqtt({ mqttUrl, mqttHost, host }: Config, { mqtt, mqtts }: Ports): string {
  if (mqttUrl !== undefined) return 'external broker (MQTT_URL)'
  const plain = `mqtt://${mqttHost}:${mqtt}`
  return mqtts === undefined ? plain : `${plain}, mqtts://${host}:${mqtts}`
}
