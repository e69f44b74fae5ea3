import { createReadStream } from 'node:fs'

/** Thrown inside the stream, so that a line cut in the middle does not count as one. */
export class Interrupted extends Error {}

/** The bytes of a file, or of standard input for `-`, until interrupted. */
export async function* readSource(
  file: string,
  progress: (bytes: number) => void,
  isInterrupted: () => boolean,
): AsyncGenerator<Uint8Array> {
  const stream: AsyncIterable<Uint8Array> = file === '-' ? process.stdin : createReadStream(file)
  let read = 0
  for await (const chunk of stream) {
    if (isInterrupted()) throw new Interrupted()
    read += chunk.byteLength
    progress(read)
    yield chunk
  }
}
