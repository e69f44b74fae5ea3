import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Portico } from '../servers/portico.ts'
import type { Account } from './mqtt.ts'
import { api } from './requests.ts'

const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

/** The fixed header of a packet, which announces the length of the rest. */
export function header(firstByte: number, length: number): Buffer {
  const bytes = [firstByte]
  let rest = length
  do {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.from(bytes)
}

const packet = (firstByte: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([header(firstByte, body.length), body])
}

const CLEAN_WITH_ACCOUNT = 0xc2

export const connectPacket = ({ username, password }: Account, clientId: string): Buffer =>
  packet(
    0x10,
    text('MQTT'),
    Buffer.from([4, CLEAN_WITH_ACCOUNT, 0, 0]),
    text(clientId),
    text(username),
    text(password),
  )

export const publishPacket = (topic: string, payload: string | Buffer, qos: 0 | 1 | 2, id = 1): Buffer =>
  packet(
    0x30 | (qos << 1),
    text(topic),
    qos > 0 ? Buffer.from([id >> 8, id & 255]) : Buffer.alloc(0),
    Buffer.from(payload),
  )

export const subscribePacket = (filter: string, id = 1): Buffer =>
  packet(0x82, Buffer.from([id >> 8, id & 255]), text(filter), Buffer.from([0]))

/** A TCP connection to a server's broker. Errors are ignored; only the end of the connection matters. */
export async function openSocket(mqttUrl: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: Number(new URL(mqttUrl).port), host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  await once(socket, 'connect').catch(() => {})
  return socket
}

/** Signs on and returns the CONNACK code, 0 for success, or undefined if the connection was closed instead. */
export async function signOn(
  socket: Socket,
  account: Account,
  clientId: string,
): Promise<number | undefined> {
  const answer = Promise.withResolvers<number | undefined>()
  socket.once('data', (data: Buffer) => answer.resolve(data[3]))
  socket.once('close', () => answer.resolve(undefined))
  socket.write(connectPacket(account, clientId))
  return answer.promise
}

/** Resolves when the connection has ended for any reason. */
export const whenClosed = (socket: Socket): Promise<void> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', () => resolve()))

const PINGREQ = Buffer.from([0xc0, 0])

/**
 * The connections that the server has not closed. A client that does not read detects that it is disconnected only
 * when it writes, and only after the reset with which the first packet is answered.
 */
export async function findOpen(portico: Portico, sockets: readonly Socket[]): Promise<Socket[]> {
  for (let round = 0; round < 3; round += 1) {
    for (const socket of sockets) if (!socket.destroyed) socket.write(PINGREQ)
    // The server has processed what was sent before.
    assert.equal((await api(portico, '/live')).status, 200)
    await sleep(20)
  }
  return sockets.filter(({ destroyed }) => !destroyed)
}

/** The server closes connections within seconds; this allows for a machine that is busy with other tests. */
const CLOSED_WITHIN_MS = 60_000

/** Fails if the server does not close the connection. */
export async function assertClosed(socket: Socket): Promise<void> {
  const deadline = sleep(CLOSED_WITHIN_MS, 'open', { ref: false })
  assert.notEqual(await Promise.race([whenClosed(socket), deadline]), 'open', 'the connection is still open')
}
