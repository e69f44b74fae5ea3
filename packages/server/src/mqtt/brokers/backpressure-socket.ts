import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Rejection } from '../../domain/telemetry/reading/validate.ts'
import {
  BYTES_PER_TURN,
  DRAIN_WITHIN_MS,
  MAX_UNANSWERED_MESSAGES,
  MESSAGE_COST_BYTES,
  PACKETS_PER_TURN,
} from './bounds.ts'
import {
  type ByteTally,
  countBytes,
  createByteTally,
  findExhausted,
  releaseAll,
  type Tallies,
  wakeWaiting,
} from './byte-tally.ts'
import { createPacketLimit } from './packet-limit.ts'
import { INCOMPLETE_PACKETS, SLOW_CONSUMER } from './violations.ts'

/**
 * Larger chunks are sent as they are, so that a message to many subscribers is in memory once; smaller ones are
 * joined.
 */
const JOIN_BELOW_BYTES = 64 * 1024
const NOTHING: Buffer = Buffer.alloc(0)

/**
 * A connection with bounds on the memory it may use: it is not read while too many of its messages are unacknowledged,
 * and closed when it leaves packets incomplete or does not read what is sent to it.
 */
export interface BackpressureSocket {
  readonly stream: Duplex
  readonly isClosed: boolean
  /**
   * To be called after sign-on: starts reading the packets after the CONNECT, and counts memory towards the account.
   */
  admit(account: ByteTally): void
  /** Counts a message as unacknowledged until the returned function is called. */
  track(payloadBytes: number): () => void
  /** To be called regularly: closes the connection if the client has not read any pending data for too long. */
  checkDrain(elapsedMs: number): void
  /** Closes the connection because it exceeded a bound. */
  abort(violation: Rejection): void
}

export function withBackpressure(
  socket: Socket,
  total: ByteTally,
  onViolation: (violation: Rejection) => void,
): BackpressureSocket {
  const limit = createPacketLimit()
  const tallies: Tallies = { connection: createByteTally(), account: undefined, total }
  /** Bytes received but not yet split into packets. */
  let unread = NOTHING
  let messages = 0
  let isSignedOn = false
  let hasConnect = false
  let bytesOfTurn = 0
  let isTurnDue = false
  let isClosed = false
  let hasEnded = false
  let hasSent = false
  let stalledMs = 0

  const abort = (violation: Rejection): void => {
    if (isClosed) return
    onViolation(violation)
    stream.destroy(new Error(violation.message))
  }

  /**
   * Whether the connection must not be read now. Its own acknowledgements resume it; if it waits for those of other
   * connections, it registers to be woken.
   */
  const mustWait = (): boolean => {
    if (messages >= MAX_UNANSWERED_MESSAGES) return true
    const exhausted = findExhausted(tallies, 'unanswered')
    exhausted?.waiting.add(readOn)
    return exhausted !== undefined
  }

  const readOn = (): void => {
    if (isClosed || isTurnDue) return
    // Packets after the CONNECT are not read until the client has signed on.
    if ((hasConnect && !isSignedOn) || mustWait()) {
      socket.pause()
    } else if (unread.length === 0 && bytesOfTurn < BYTES_PER_TURN) {
      socket.resume()
    } else {
      socket.pause()
      isTurnDue = true
      setImmediate(() => {
        isTurnDue = false
        bytesOfTurn = 0
        takeTurn()
      })
    }
  }

  const takeTurn = (): void => {
    if (isClosed) return
    if (unread.length === 0) return readOn()
    let hasRoom = true
    try {
      const before = limit.incompleteBytes
      const { passed, rest } = limit.take(unread, isSignedOn ? PACKETS_PER_TURN : 1)
      unread = rest
      countBytes(tallies, 'incomplete', limit.incompleteBytes - before)
      // A single push per tick: a reader that consumes the available data and then waits for more would miss a second
      // one.
      if (passed.length > 0) {
        hasConnect = true
        hasRoom = stream.push(Buffer.concat(passed))
        setImmediate(offer)
      }
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)))
      return
    }
    if (hasEnded && unread.length === 0) stream.push(null)
    else if (findExhausted(tallies, 'incomplete')) abort(INCOMPLETE_PACKETS)
    else if (hasRoom) readOn()
    // Continues when the stream is read.
    else socket.pause()
  }

  /** Writes never apply backpressure to Aedes: it would make all publishers wait for one slow client. */
  const send = (chunk: Buffer): void => {
    if (isClosed) return
    countBytes(tallies, 'outgoing', chunk.length)
    socket.write(chunk, () => {
      hasSent = true
      if (!isClosed) countBytes(tallies, 'outgoing', -chunk.length)
    })
    if (findExhausted(tallies, 'outgoing')) abort(SLOW_CONSUMER)
  }
  const stream = new Duplex({
    read: readOn,
    write(chunk: Buffer, _encoding, done) {
      send(chunk)
      done()
    },
    writev(parts, done) {
      for (const chunk of joinSmall(parts.map(({ chunk }) => chunk as Buffer))) send(chunk)
      done()
    },
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      isClosed = true
      unread = NOTHING
      for (const tally of [tallies.connection, tallies.account, total]) tally?.waiting.delete(readOn)
      releaseAll(tallies)
      wakeWaiting(tallies)
      done(error)
    },
  })

  /**
   * Aedes counts its unanswered messages and reads on when none is left, or once for each further `readable` event.
   * The extra events let it receive pings while acknowledgements are withheld; their number is bounded here.
   */
  const offer = (): void => {
    for (let times = messages + 1; times > 0 && stream.readableLength > 0; times -= 1) stream.emit('readable')
  }

  socket.on('data', (chunk: Buffer) => {
    const isWaiting = isTurnDue || unread.length > 0 || (hasConnect && !isSignedOn)
    bytesOfTurn += chunk.length
    unread = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
    if (isWaiting) socket.pause()
    else takeTurn()
  })
  socket.on('end', () => {
    hasEnded = true
    if (unread.length === 0) stream.push(null)
  })
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => stream.destroy())
  socket.pause()

  return {
    stream,
    get isClosed() {
      return isClosed
    },
    abort,
    admit(account) {
      if (isClosed) return
      isSignedOn = true
      for (const kind of ['unanswered', 'incomplete', 'outgoing'] as const)
        account.bytes[kind] += tallies.connection.bytes[kind]
      tallies.account = account
      readOn()
    },
    track(payloadBytes) {
      // The last will of a connection that is already closed.
      if (isClosed) return () => {}
      const cost = payloadBytes + MESSAGE_COST_BYTES
      messages += 1
      countBytes(tallies, 'unanswered', cost)
      let isHeld = true
      return () => {
        if (!isHeld || isClosed) return
        isHeld = false
        messages -= 1
        countBytes(tallies, 'unanswered', -cost)
        readOn()
        wakeWaiting(tallies)
      }
    },
    checkDrain(elapsedMs) {
      stalledMs = hasSent || tallies.connection.bytes.outgoing === 0 ? 0 : stalledMs + elapsedMs
      hasSent = false
      if (stalledMs >= DRAIN_WITHIN_MS) abort(SLOW_CONSUMER)
    },
  }
}

function joinSmall(parts: readonly Buffer[]): Buffer[] {
  const joined: Buffer[] = []
  let small: Buffer[] = []
  const flush = (): void => {
    if (small.length > 0) joined.push(small.length === 1 ? (small[0] ?? NOTHING) : Buffer.concat(small))
    small = []
  }
  for (const part of parts) {
    if (part.length < JOIN_BELOW_BYTES) {
      small.push(part)
    } else {
      flush()
      joined.push(part)
    }
  }
  flush()
  return joined
}
