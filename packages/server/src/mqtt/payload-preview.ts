import { byteAt } from '../kernel/at.ts'
import { PREVIEW_BYTES } from './brokers/broker.ts'

/** The first bytes as text; bytes that are not text are shown as `\xff`. */
export function toPayloadPreview(payload: Uint8Array): string {
  const bytes = payload.subarray(0, PREVIEW_BYTES)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let shown = ''
  let index = 0
  while (index < bytes.length) {
    const length = lengthOfCharacter(byteAt(bytes, index))
    const character = decode(decoder, bytes.subarray(index, index + length))
    shown += character ?? toHex(byteAt(bytes, index))
    index += character === undefined ? 1 : length
  }
  return shown
}

const isControl = (byte: number): boolean => (byte < 0x20 && ![9, 10, 13].includes(byte)) || byte === 0x7f

const toHex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`

const lengthOfCharacter = (lead: number): number => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)

function decode(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  if (bytes.length === 1 && isControl(byteAt(bytes, 0))) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
