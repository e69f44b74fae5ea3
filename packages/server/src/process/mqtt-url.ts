import type { Config } from '../config/config.ts'
import { parseBrokerAddress } from '../mqtt/brokers/address.ts'
import type { Ports } from './ports.ts'

type Listeners = Pick<Config, 'mqttUrl' | 'host' | 'mqttHost'>

/** Where gateways connect: the external broker, or the embedded one, with TLS if it is offered. */
export function toMqttUrl(
  { mqttUrl, host, mqttHost }: Listeners,
  { mqtt, mqtts }: Pick<Ports, 'mqtt' | 'mqtts'>,
  publicUrl: string,
): string {
  if (mqttUrl !== undefined) return parseBrokerAddress(mqttUrl).url
  const { hostname } = new URL(publicUrl)
  // A wildcard is an address to listen on, not one to connect to.
  const toHost = (address: string): string =>
    ['0.0.0.0', '::'].includes(address) ? hostname : address.includes(':') ? `[${address}]` : address
  return mqtts === undefined ? `mqtt://${toHost(mqttHost)}:${mqtt}` : `mqtts://${toHost(host)}:${mqtts}`
}
