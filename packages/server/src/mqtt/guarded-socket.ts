import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { createFrameLimit } from './frame-limit.ts'

/** What one connection, and all of them together, may have unanswered before no more is read from it. */
const MAX_MESSAGES = 1_000
const MAX_BYTES = 4 * 1024 * 1024
const MAX_BYTES_TOGETHER = 128 * 1024 * 1024
/** Besides its payload a message costs about this much. */
const MESSAGE_COST_BYTES = 512
/** What a client that is slow to read may leave unread before the broker waits for it. */
const WRITE_BUFFER_BYTES = 256 * 1024

/** What all connections of a broker have unanswered. */
export interface Load {
  bytes: number
  /** Connections that stopped reading because of the others. */
  waiting: Set<() => void>
}

export const createLoad = (): Load => ({ bytes: 0, waiting: new Set() })

/** A copy: who still has to wait puts itself back. */
function wakeAll({ waiting }: Load): void {
  const woken = [...waiting]
  for (const wake of woken) wake()
}

/** A connection whose packets are bounded, and which is read no further while too much of it is unanswered. */
export interface GuardedSocket {
  stream: Duplex
  /** Counts a message as unanswered until what it gives is called. */
  hold(payloadBytes: number): () => void
}

export function guardSocket(socket: Socket, load: Load): GuardedSocket {
  const limit = createFrameLimit()
  let messages = 0
  let bytes = 0
  let isClosed = false

  const isFull = (): boolean =>
    messages >= MAX_MESSAGES || bytes >= MAX_BYTES || load.bytes >= MAX_BYTES_TOGETHER
  const readOn = (): void => {
    load.waiting.delete(readOn)
    if (isFull()) load.waiting.add(readOn)
    else socket.resume()
  }

  const write = (chunk: Buffer, done: (error?: Error | null) => void): void => {
    if (socket.write(chunk)) done()
    else socket.once('drain', () => done())
  }
  const stream = new Duplex({
    writableHighWaterMark: WRITE_BUFFER_BYTES,
    read: readOn,
    write: (chunk: Buffer, _encoding, done) => write(chunk, done),
    writev: (parts, done) => write(Buffer.concat(parts.map(({ chunk }) => chunk as Buffer)), done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      load.waiting.delete(readOn)
      load.bytes -= bytes
      isClosed = true
      done(error)
    },
  })

  /**
   * Aedes counts what it has not answered and reads on when it is down to nothing, or told once more for each. Told so,
   * it hears pings while acknowledgements are held; how much may be held is bounded here.
   */
  const offer = (): void => {
    for (let times = messages + 1; times > 0 && stream.readableLength > 0; times -= 1) stream.emit('readable')
  }

  socket.on('data', (chunk: Buffer) => {
    try {
      // One push for what came at once: readers that take what there is and wait for more would miss a second one.
      const passed = limit.take(chunk)
      const hasRoom = passed.length === 0 || stream.push(passed)
      setImmediate(offer)
      if (!hasRoom || isFull()) socket.pause()
      if (isFull()) load.waiting.add(readOn)
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  })
  socket.on('end', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => stream.destroy())
  socket.pause()

  return {
    stream,
    hold(payloadBytes) {
      // The last will of a connection that is gone.
      if (isClosed) return () => {}
      const cost = payloadBytes + MESSAGE_COST_BYTES
      messages += 1
      bytes += cost
      load.bytes += cost
      let isHeld = true
      return () => {
        if (!isHeld || isClosed) return
        isHeld = false
        messages -= 1
        bytes -= cost
        load.bytes -= cost
        if (!isFull()) readOn()
        if (load.bytes < MAX_BYTES_TOGETHER) wakeAll(load)
      }
    },
  }
}
