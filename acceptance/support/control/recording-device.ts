import assert from 'node:assert/strict'
import { connect, type IPublishPacket, type MqttClient } from 'mqtt'
import { eventually } from '../eventually.ts'
import { asObject, asString, type JsonObject, parseJson } from '../json.ts'
import type { Account } from '../clients/mqtt.ts'
import { type DeviceBehaviour, confirms } from './device-behaviours.ts'

/** One message received by the device. */
export interface RecordedMessage {
  commandUuid: string
  type: string
  payload: JsonObject
  /** On the server's clock. */
  at: number
  isDup: boolean
  isRetained: boolean
  qos: number
}

/**
 * A device (or a gateway acting for one) that records every message, applies each command once by its id, and responds
 * as the test prescribes. It reconnects automatically when its connection is lost.
 */
export interface RecordingDevice {
  deviceUuid: string
  ledger: RecordedMessage[]
  /** The applied commands, each once, in order of arrival. */
  applied: string[]
  answering: DeviceBehaviour
  /** The messages of one command. */
  about(commandUuid: string): RecordedMessage[]
  /** Waits for a command; resolves with its first message. */
  gets(commandUuid: string): Promise<RecordedMessage>
  /** Resolves when all responses are sent. */
  quiet(): Promise<void>
  say(commandUuid: string, status: string, more?: JsonObject): Promise<void>
  /** Publishes a status with any content. */
  sayRaw(commandUuid: string, payload: string): Promise<void>
  /** Publishes its own presence, or that of another device or gateway. */
  present(word: 'online' | 'offline', unit?: string): Promise<void>
  /** Drops the connection (the broker publishes the last will) and does not reconnect. */
  vanish(): Promise<void>
  comeBack(): Promise<void>
  /** Disconnects cleanly, so that no last will is published and the device still counts as online. */
  leave(): Promise<void>
}

export interface DeviceOptions {
  url: string
  account: Account
  siteUuid: string
  deviceUuid: string
  answering?: DeviceBehaviour
  /** The server's clock. */
  now?: () => number
  /** The sender whose presence it publishes with every connect; null for none. Default: itself. */
  presenceFor?: string | null
}

const open = new Set<MqttClient>()

/** For a test file's `after`: an open connection would keep the file from ending. */
export function endRecordingDevices(): void {
  for (const client of open) client.end(true)
}

/** Connects, subscribes, then publishes that it is online. */
export async function connectRecordingDevice(options: DeviceOptions): Promise<RecordingDevice> {
  const { url, account, siteUuid, deviceUuid, now = Date.now, presenceFor = deviceUuid } = options
  const topic = (unit: string, kind: string): string => `portico/v1/${siteUuid}/${unit}/${kind}`
  const commands = topic(deviceUuid, 'commands')
  const client = connect(url, {
    ...account,
    reconnectPeriod: 200,
    connectTimeout: 20_000,
    resubscribe: false,
    ...(presenceFor === null
      ? {}
      : {
          will: {
            topic: topic(presenceFor, 'presence'),
            payload: Buffer.from('offline'),
            qos: 1,
            retain: true,
          },
        }),
  })
  open.add(client)
  client.on('error', () => {})
  const publish = async (to: string, payload: string, retain = false): Promise<void> => {
    await client.publishAsync(to, payload, { qos: 1, retain })
  }

  const answers = new Set<Promise<void>>()
  /** Resolves when it has subscribed and published its presence. */
  let greeted = Promise.withResolvers<void>()
  const device: RecordingDevice = {
    deviceUuid,
    ledger: [],
    applied: [],
    answering: options.answering ?? confirms,
    about: (commandUuid) => device.ledger.filter((seen) => seen.commandUuid === commandUuid),
    gets: (commandUuid) =>
      eventually(async () => {
        const [first] = device.about(commandUuid)
        assert.ok(first, `${commandUuid} did not reach the device, only ${JSON.stringify(device.ledger)}`)
        return first
      }),
    async quiet() {
      while (answers.size > 0) await Promise.all(answers)
    },
    say: (commandUuid, status, more = {}) =>
      device.sayRaw(
        commandUuid,
        JSON.stringify({ status, timestamp: new Date(now()).toISOString(), ...more }),
      ),
    sayRaw: (commandUuid, payload) => publish(topic(deviceUuid, `commands/${commandUuid}/status`), payload),
    present: (word, unit = deviceUuid) => publish(topic(unit, 'presence'), word, true),
    async vanish() {
      const gone = new Promise<void>((resolve) => client.once('close', () => resolve()))
      client.options.reconnectPeriod = 0
      client.stream.destroy()
      await gone
    },
    async comeBack() {
      greeted = Promise.withResolvers()
      client.options.reconnectPeriod = 200
      client.reconnect()
      await greeted.promise
    },
    leave: () => client.endAsync(),
  }

  async function greet(): Promise<void> {
    const [granted] = await client.subscribeAsync(commands, { qos: 1 })
    assert.equal(granted?.qos, 1)
    if (presenceFor !== null) await device.present('online', presenceFor)
  }
  client.on('message', (to, bytes, packet) => {
    if (to !== commands) return
    const seen = read(bytes.toString(), packet, now())
    device.ledger.push(seen)
    if (seen.type === 'cancel') return
    if (!device.applied.includes(seen.commandUuid)) device.applied.push(seen.commandUuid)
    const say = (status: string, more?: JsonObject): Promise<void> =>
      device.say(seen.commandUuid, status, more)
    // A response lost with the connection is repeated when the command is redelivered.
    const answer = device
      .answering(seen, say)
      .catch(() => {})
      .finally(() => answers.delete(answer))
    answers.add(answer)
  })
  // A connection that breaks during these steps repeats them on the next connect.
  client.on('connect', () => {
    greet().then(greeted.resolve, () => {})
  })
  client.once('error', greeted.reject)
  await greeted.promise
  return device
}

function read(text: string, packet: IPublishPacket, at: number): RecordedMessage {
  const payload = asObject(parseJson(text))
  return {
    commandUuid: String(payload['commandUuid']),
    type: asString(payload['type']),
    payload,
    at,
    isDup: packet.dup,
    isRetained: packet.retain,
    qos: packet.qos,
  }
}
