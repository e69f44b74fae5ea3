import { createReadStream, statSync } from 'node:fs'

/** Shows how much of a file has been read; only on a terminal. */
export function createProgress(file: string): (bytes: number) => void {
  const isShown = process.stderr.isTTY && file !== '-'
  if (!isShown) return () => {}
  const total = statSync(file).size
  let shown = -1
  return (bytes) => {
    const percent = total === 0 ? 100 : Math.floor((bytes / total) * 100)
    if (percent === shown) return
    shown = percent
    const bar = '█'.repeat(Math.floor(percent / 4)).padEnd(25, '░')
    process.stderr.write(`\r${file}  ${bar} ${percent} %${percent === 100 ? '\n' : ''}`)
  }
}

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
