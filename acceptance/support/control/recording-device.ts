import assert from 'node:assert/strict'
import { connect, type IPublishPacket, type MqttClient } from 'mqtt'
import { eventually } from '../eventually.ts'
import { asObject, asString, type JsonObject, parseJson } from '../json.ts'
import type { Account } from '../clients/mqtt.ts'
import { type DeviceBehaviour, confirms } from './device-behaviours.ts'

/** One message as it came to the device. */
export interface RecordedMessage {
  commandUuid: string
  type: string
  payload: JsonObject
  /** By the server's clock. */
  at: number
  isDup: boolean
  isRetained: boolean
  qos: number
}

/**
 * A device (or a gateway that plays one) which writes down every message it gets, applies each command once by its id, and
 * answers as a test tells it to. It comes back by itself when its connection is lost.
 */
export interface RecordingDevice {
  deviceUuid: string
  ledger: RecordedMessage[]
  /** The commands it follows, each once, in the order they came. */
  applied: string[]
  answering: DeviceBehaviour
  /** The messages about one command. */
  about(commandUuid: string): RecordedMessage[]
  /** Waits for a command; its first message. */
  gets(commandUuid: string): Promise<RecordedMessage>
  /** Resolves when it has said all that it had to say. */
  quiet(): Promise<void>
  say(commandUuid: string, status: string, more?: JsonObject): Promise<void>
  /** A status of whatever content. */
  sayRaw(commandUuid: string, payload: string): Promise<void>
  /** Its presence, or that of another unit in its name. */
  present(word: 'online' | 'offline', unit?: string): Promise<void>
  /** Loses the connection without a word (the broker publishes the last will) and stays away. */
  vanish(): Promise<void>
  comeBack(): Promise<void>
  /** Signs off, so that no last will is published: for all that anybody knows it is still there. */
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
  /** Whose presence it tells with every connect, if anybody's. Default: its own. */
  speaksFor?: string | null
}

const open = new Set<MqttClient>()

/** For a test file's `after`: a connection that is left open would keep the file from ending. */
export function endRecordingDevices(): void {
  for (const client of open) client.end(true)
}

/** Connects, subscribes, then says that it is online. */
export async function connectRecordingDevice(options: DeviceOptions): Promise<RecordingDevice> {
  const { url, account, siteUuid, deviceUuid, now = Date.now, speaksFor = deviceUuid } = options
  const topic = (unit: string, kind: string): string => `portico/v1/${siteUuid}/${unit}/${kind}`
  const commands = topic(deviceUuid, 'commands')
  const client = connect(url, {
    ...account,
    reconnectPeriod: 200,
    connectTimeout: 20_000,
    resubscribe: false,
    ...(speaksFor === null
      ? {}
      : {
          will: {
            topic: topic(speaksFor, 'presence'),
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
  /** Settles when it has subscribed and told its presence. */
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
    if (speaksFor !== null) await device.present('online', speaksFor)
  }
  client.on('message', (to, bytes, packet) => {
    if (to !== commands) return
    const seen = read(bytes.toString(), packet, now())
    device.ledger.push(seen)
    if (seen.type === 'cancel') return
    if (!device.applied.includes(seen.commandUuid)) device.applied.push(seen.commandUuid)
    const say = (status: string, more?: JsonObject): Promise<void> =>
      device.say(seen.commandUuid, status, more)
    // An answer that is lost with the connection is given again when the command comes again.
    const answer = device
      .answering(seen, say)
      .catch(() => {})
      .finally(() => answers.delete(answer))
    answers.add(answer)
  })
  // A connection that breaks in the middle of the greeting is greeted again at the next.
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
