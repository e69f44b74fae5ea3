import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'

/** Thrown inside the stream, so that a line cut in the middle does not count as one. */
export class Interrupted extends Error {}

/** The bytes of a file, or of standard input for `-`, until interrupted. */
export async function* readSource(
  file: string,
  onRead: (bytes: number, chunk: Uint8Array) => void,
  interruption: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stream: Readable = file === '-' ? process.stdin : createReadStream(file)
  let bytes = 0
  try {
    for await (const chunk of addAbortSignal(interruption, stream) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      onRead(bytes, chunk)
      yield chunk
    }
  } catch (error) {
    throw interruption.aborted ? new Interrupted() : error
  }
}
