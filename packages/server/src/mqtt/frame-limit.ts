import { newSecretValue } from '../lib/ids.ts'
import { MAX_PAYLOAD_BYTES, SHOWN_BYTES } from './broker.ts'

const CONNECT = 1
const PUBLISH = 3
/** A publish may have a topic of 64 KiB and a packet identifier beside its payload. */
const MAX_PUBLISH_BYTES = MAX_PAYLOAD_BYTES + 2 + 65_535 + 2
const MAX_OTHER_BYTES = 256 * 1024

/** A client that breaks a limit which leaves no way to go on. */
export class FrameError extends Error {}

/**
 * Watches the packets of one connection go by, before anything keeps them in memory. A publish that is too large is
 * never held: its payload is replaced by a small note with its size and its first bytes, and the stream goes on.
 */
export interface FrameLimit {
  /** The bytes to pass on for these. Throws FrameError when the connection must end. */
  take(chunk: Buffer): Buffer
}

type State =
  /** The type, the flags and the length: the first up to five bytes of a packet. */
  | { at: 'header'; bytes: number[] }
  | { at: 'pass'; left: number }
  | { at: 'shorten'; flags: number; length: number; left: number; head: Buffer[]; headBytes: number }

export function createFrameLimit(): FrameLimit {
  let state: State = { at: 'header', bytes: [] }
  let isFirst = true

  const begin = (bytes: number[], length: number): Buffer[] => {
    const type = (bytes[0] ?? 0) >> 4
    if (isFirst && type !== CONNECT) throw new FrameError('the first packet is not a CONNECT')
    isFirst = false
    if (type !== PUBLISH && length > MAX_OTHER_BYTES) throw new FrameError('a packet is too large')
    if (type === PUBLISH && length > MAX_PUBLISH_BYTES) {
      state = { at: 'shorten', flags: bytes[0] ?? 0, length, left: length, head: [], headBytes: 0 }
      return []
    }
    state = length === 0 ? { at: 'header', bytes: [] } : { at: 'pass', left: length }
    return [Buffer.from(bytes)]
  }

  return {
    take(chunk) {
      const out: Buffer[] = []
      let rest = chunk
      while (rest.length > 0) {
        if (state.at === 'header') {
          state.bytes.push(rest[0] ?? 0)
          rest = rest.subarray(1)
          const length = lengthOf(state.bytes)
          if (length !== undefined) out.push(...begin(state.bytes, length))
          continue
        }
        const part = rest.subarray(0, state.left)
        rest = rest.subarray(part.length)
        state.left -= part.length
        if (state.at === 'pass') {
          out.push(part)
        } else if (state.headBytes < HEAD_BYTES) {
          // A copy: a slice would keep the whole chunk alive.
          const head = Buffer.from(part.subarray(0, HEAD_BYTES - state.headBytes))
          state.head.push(head)
          state.headBytes += head.length
        }
        if (state.left > 0) continue
        if (state.at === 'shorten') out.push(shortened(state.flags, state.length, Buffer.concat(state.head)))
        state = { at: 'header', bytes: [] }
      }
      return Buffer.concat(out)
    },
  }
}

const HEAD_BYTES = 2 + 65_535 + 2 + SHOWN_BYTES

/** The length that the bytes after the first tell, or undefined while they go on. */
function lengthOf([, ...bytes]: number[]): number | undefined {
  const last = bytes.at(-1)
  if (last === undefined) return undefined
  if (last >= 128) {
    if (bytes.length >= 4) throw new FrameError('the length of a packet cannot be read')
    return undefined
  }
  return bytes.reduce((sum, byte, index) => sum + (byte & 127) * 128 ** index, 0)
}

/** No client can know it, so no payload can pass for a note. */
const MARK = Buffer.from(newSecretValue())
const SIZE_BYTES = 6

function shortened(flags: number, length: number, head: Buffer): Buffer {
  const topicEnd = 2 + head.readUInt16BE(0)
  const hasId = ((flags >> 1) & 3) > 0
  const payloadStart = topicEnd + (hasId ? 2 : 0)
  const size = Buffer.alloc(SIZE_BYTES)
  size.writeUIntBE(length - payloadStart, 0, SIZE_BYTES)
  const shown = head.subarray(payloadStart, payloadStart + SHOWN_BYTES)
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

/** A payload as it was sent: its size, and of one that was too large the first bytes only. */
export function readPayload(payload: Buffer): { payload: Buffer; payloadBytes: number } {
  if (!payload.subarray(0, MARK.length).equals(MARK)) return { payload, payloadBytes: payload.length }
  const payloadBytes = payload.readUIntBE(MARK.length, SIZE_BYTES)
  return { payload: payload.subarray(MARK.length + SIZE_BYTES), payloadBytes }
}
