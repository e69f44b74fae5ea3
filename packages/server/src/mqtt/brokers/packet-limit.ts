import { byteAt, numberAt } from '../../kernel/at.ts'
import { newSecretValue } from '../../kernel/ids.ts'
import { MAX_CONNECT_BYTES, MAX_OTHER_PACKET_BYTES, MAX_PUBLISH_BYTES } from './bounds.ts'
import { PREVIEW_BYTES } from './broker.ts'

const CONNECT = 1
const PUBLISH = 3
const FIRST_ALLOCATION_BYTES = 1024

/** A violation after which the connection must be closed. */
export class PacketError extends Error {}

/**
 * Splits the stream of one connection into packets and forwards only complete ones. A packet above its limit is never
 * held in memory: the first one must be a small CONNECT, and the payload of an oversized PUBLISH is replaced by a
 * marker with its size and first bytes.
 */
export interface PacketLimit {
  /**
   * Returns the bytes to forward, for at most `maxPackets` packets, and the bytes that were not parsed because of that
   * bound. Throws PacketError if the connection must be closed.
   */
  take(bytes: Buffer, maxPackets: number): { passed: Buffer[]; rest: Buffer }
  /** Memory allocated for a packet that has not arrived completely. */
  readonly incompleteBytes: number
}

export function createPacketLimit(): PacketLimit {
  /** The fixed header (type, flags and length): up to five bytes. */
  let header: number[] = []
  let packet: Packet | undefined
  let isFirst = true

  const begin = (length: number): Packet => {
    const type = numberAt(header, 0) >> 4
    const limit = isFirst ? MAX_CONNECT_BYTES : type === PUBLISH ? MAX_PUBLISH_BYTES : MAX_OTHER_PACKET_BYTES
    isFirst = false
    if (length <= limit) return createPacket(header, length)
    if (type === PUBLISH) return createShortenedPacket(header, length)
    throw new PacketError('a packet is too large')
  }

  return {
    take(bytes, maxPackets) {
      const passed: Buffer[] = []
      let at = 0
      for (let packets = 0; at < bytes.length && packets < maxPackets; ) {
        if (!packet) {
          header.push(byteAt(bytes, at))
          at += 1
          if (isFirst && numberAt(header, 0) >> 4 !== CONNECT)
            throw new PacketError('the first packet is not a CONNECT')
          const length = decodeLength(header)
          if (length === undefined) continue
          packet = begin(length)
          header = []
        }
        const part = bytes.subarray(at, at + packet.left)
        at += part.length
        packet.append(part)
        if (packet.left > 0) continue
        passed.push(...packet.finish())
        packet = undefined
        packets += 1
      }
      return { passed, rest: bytes.subarray(at) }
    },
    get incompleteBytes() {
      return packet?.allocated ?? 0
    },
  }
}

interface Packet {
  /** Bytes that have not arrived yet. */
  left: number
  readonly allocated: number
  append(part: Buffer): void
  /** The bytes to forward. */
  finish(): Buffer[]
}

function createPacket(header: readonly number[], length: number): Packet {
  const body = createGathering(length)
  return {
    left: length,
    get allocated() {
      return body.allocated
    },
    append(part) {
      this.left -= part.length
      body.append(part)
    },
    finish: () => [Buffer.from(header), body.gathered()],
  }
}

/** Stores the start of a PUBLISH whose payload is too large, and discards the rest. */
function createShortenedPacket(header: readonly number[], length: number): Packet {
  const head = createGathering(HEAD_BYTES)
  return {
    left: length,
    get allocated() {
      return head.allocated
    },
    append(part) {
      this.left -= part.length
      head.append(part.subarray(0, HEAD_BYTES - head.gathered().length))
    },
    finish: () => [shortened(numberAt(header, 0), length, head.gathered())],
  }
}

/**
 * Collects bytes in one buffer that grows up to `max`. Memory stays below twice the bytes that have arrived, whatever
 * length is announced and however small the parts are.
 */
function createGathering(max: number): {
  append(part: Buffer): void
  gathered(): Buffer
  readonly allocated: number
} {
  let buffer: Buffer = Buffer.alloc(0)
  let used = 0
  let isShared = false
  return {
    append(part) {
      // The whole packet in one part is the usual case. No copy is needed: the packets of a tick are joined later,
      // which copies them.
      if (used === 0 && part.length === max) {
        buffer = part
        used = max
        isShared = true
        return
      }
      if (used + part.length > buffer.length) {
        const size = Math.min(max, Math.max(FIRST_ALLOCATION_BYTES, 2 * buffer.length, used + part.length))
        const larger = Buffer.allocUnsafeSlow(size)
        buffer.copy(larger, 0, 0, used)
        buffer = larger
      }
      part.copy(buffer, used)
      used += part.length
    },
    gathered: () => buffer.subarray(0, used),
    get allocated() {
      return isShared ? 0 : buffer.length
    },
  }
}

const HEAD_BYTES = 2 + 65_535 + 2 + PREVIEW_BYTES

/** Decodes the remaining length of a fixed header; undefined while it is incomplete. */
function decodeLength([, ...bytes]: number[]): number | undefined {
  const last = bytes.at(-1)
  if (last === undefined) return undefined
  if (last >= 128) {
    if (bytes.length >= 4) throw new PacketError('the length of a packet cannot be read')
    return undefined
  }
  return bytes.reduce((sum, byte, index) => sum + (byte & 127) * 128 ** index, 0)
}

/** Random, so that no client can forge a marker. */
const MARK = Buffer.from(newSecretValue())
const SIZE_BYTES = 6

function shortened(flags: number, length: number, head: Buffer): Buffer {
  const topicEnd = 2 + head.readUInt16BE(0)
  const hasId = ((flags >> 1) & 3) > 0
  const payloadStart = topicEnd + (hasId ? 2 : 0)
  const size = Buffer.alloc(SIZE_BYTES)
  size.writeUIntBE(length - payloadStart, 0, SIZE_BYTES)
  const shown = head.subarray(payloadStart, payloadStart + PREVIEW_BYTES)
  const body = Buffer.concat([head.subarray(0, payloadStart), MARK, size, shown])
  return Buffer.concat([Buffer.from([flags, ...encodeLength(body.length)]), body])
}

function encodeLength(length: number): number[] {
  const bytes: number[] = []
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}

/** The payload as sent: its size, and for an oversized one only its first bytes. */
export function readPayload(payload: Buffer): { payload: Buffer; payloadBytes: number } {
  if (!payload.subarray(0, MARK.length).equals(MARK)) return { payload, payloadBytes: payload.length }
  const payloadBytes = payload.readUIntBE(MARK.length, SIZE_BYTES)
  return { payload: payload.subarray(MARK.length + SIZE_BYTES), payloadBytes }
}
