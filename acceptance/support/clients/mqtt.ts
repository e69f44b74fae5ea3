import assert from 'node:assert/strict'
import { connect, type IClientOptions, type MqttClient, type Packet } from 'mqtt'

export interface Account {
  username: string
  password: string
}

export interface ReceivedMessage {
  topic: string
  text: string
  isRetained: boolean
}

/** A device or gateway simulated by a stock MQTT client. */
export interface MqttDevice {
  client: MqttClient
  received: ReceivedMessage[]
  /** Resolves with the broker's acknowledgement. */
  publish(topic: string, payload: string | Buffer, flags?: { dup?: boolean; retain?: boolean }): Promise<void>
  /** The broker's return code for each filter: 128 and above are failures. */
  subscribe(...filters: string[]): Promise<number[]>
  /** Drops the connection without DISCONNECT, as in a power failure. */
  vanish(): Promise<void>
  end(): Promise<void>
}

const open = new Set<MqttClient>()

/** For a test file's `after`: an open connection would keep the file from ending. */
export function endDevices(): void {
  for (const client of open) client.end(true)
}

/** Connects; rejects with the CONNACK code if the broker denies it. */
export async function connectDevice(
  url: string,
  account?: Account,
  options: IClientOptions = {},
): Promise<MqttDevice> {
  const client = connect(url, { ...account, reconnectPeriod: 0, connectTimeout: 120_000, ...options })
  open.add(client)
  const received: ReceivedMessage[] = []
  client.on('message', (topic, payload, { retain }) => {
    received.push({ topic, text: payload.toString(), isRetained: retain })
  })
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('closed')))
  })
  client.on('error', () => {})
  return {
    client,
    received,
    publish: (topic, payload, flags = {}) =>
      new Promise((resolve, reject) => {
        const lost = (): void => reject(new Error(`the connection closed before ${topic} was acknowledged`))
        client.once('close', lost)
        client.publish(topic, payload, { qos: 1, ...flags }, (error) => {
          client.off('close', lost)
          if (error) reject(error)
          else resolve()
        })
      }),
    async subscribe(...filters) {
      const codes: number[] = []
      for (const filter of filters) codes.push(...(await grantedFor(client, filter)))
      return codes
    },
    async vanish() {
      const gone = closed(client)
      client.stream.destroy()
      await gone
    },
    end: () => client.endAsync(),
  }
}

/** Resolves when the connection is closed. */
export const closed = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => client.once('close', () => resolve()))

/** Returns the broker's SUBACK codes, which the client library replaces by an error if one is a failure. */
function grantedFor(client: MqttClient, filter: string): Promise<number[]> {
  return new Promise((resolve) => {
    const look = (packet: Packet): void => {
      if (packet.cmd !== 'suback') return
      client.off('packetreceive', look)
      resolve(packet.granted.map(Number))
    }
    client.on('packetreceive', look)
    client.subscribe(filter, { qos: 1 }, () => {})
  })
}

/** The CONNACK code with which a broker denies a connection. */
export async function connectRefused(url: string, account?: Account): Promise<unknown> {
  try {
    await connectDevice(url, account)
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  assert.fail('the broker let it in')
}

export const toReadingsPayload = (
  ...readings: [metricType: unknown, timestamp: unknown, value: unknown][]
): string =>
  JSON.stringify({
    readings: readings.map(([metricType, timestamp, value]) => ({ metricType, timestamp, value })),
  })
