import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  KEEP_ALIVE_SECONDS,
  LINGER_CHECKS,
  MIN_RECEIVED_BYTES,
  MIN_SENT_BYTES,
  STALL_CHECKS,
} from '../limits.ts'

/** Why the clock ends a connection. */
export type ClockReason =
  | 'response not drained'
  | 'request body stalled'
  | 'answered before the end of the body'

export interface ConnectionClock {
  /** Watches a connection until it closes. */
  addConnection(socket: Socket): void
  /** Watches the body of a request until it is complete. */
  addRequest(request: IncomingMessage, response: ServerResponse): void
  /** To be called once a second. */
  check(): void
}

interface Connection {
  /** `bytesRead` at the last check. */
  bytesRead: number
  /** Checks since it was last in use. */
  idleChecks: number
}

/** Progress of the bytes passed to the kernel since the current window began. */
interface Drain {
  checks: number
  /** Checks since everything was sent. */
  lingerChecks: number
  sentBytes: number
  /** State at the last check. */
  last: SentResponse
}

interface SentResponse {
  /** Bytes of completed writes. */
  bytes: number
  /** Bytes left of the write in progress. */
  queuedBytes: number
}

interface Upload {
  request: IncomingMessage
  response: ServerResponse
  /** Checks since the current window began. */
  checks: number
  /** `bytesRead` of the connection when the window began. */
  startBytes: number
  /** Checks since the response was sent. */
  answeredChecks: number
}

/** The parts of Node's handles used here; a TLS handle wraps the TCP handle. */
interface Handle {
  writeQueueSize?: number
  _parent?: Handle
}

/**
 * Closes connections that are idle, whose responses are not read or whose request bodies stop arriving. In each window
 * of 30 checks a minimum must be transferred, so that single bytes do not keep a connection alive. It never closes a
 * connection that is waiting for the server: one whose response is not ready yet, or whose body arrives faster than it
 * is processed.
 */
export function createConnectionClock(end: (reason: ClockReason, socket: Socket) => void): ConnectionClock {
  const connections = new Map<Socket, Connection>()
  /** Connections with unsent bytes, or whose writable side has ended. */
  const drains = new Map<Socket, Drain>()
  const uploads = new Set<Upload>()
  let arrived: Upload[] = []

  /** Replaces Node's `keepAliveTimeout`, which sets two timers for each request. */
  const checkIdle = (socket: Socket, connection: Connection): void => {
    if (isResponding(socket) || socket.bytesRead !== connection.bytesRead) {
      connection.idleChecks = 0
      connection.bytesRead = socket.bytesRead
      return
    }
    connection.idleChecks += 1
    if (connection.idleChecks > KEEP_ALIVE_SECONDS) socket.destroy()
  }

  const checkDrain = (socket: Socket): void => {
    const isDrained = socket.writableLength === 0
    if (isDrained && !socket.writableEnded) {
      if (drains.size > 0) drains.delete(socket)
      return
    }
    const drain = drains.get(socket)
    if (!drain) {
      drains.set(socket, { checks: 0, lingerChecks: 0, sentBytes: 0, last: readSent(socket) })
      return
    }
    drain.checks += 1
    if (isDrained) {
      drain.lingerChecks += 1
      // The peer has received everything but does not close its side.
      if (drain.lingerChecks >= LINGER_CHECKS) socket.destroy()
      return
    }
    addProgress(drain, readSent(socket))
    if (drain.checks < STALL_CHECKS) return
    if (drain.sentBytes < MIN_SENT_BYTES) end('response not drained', socket)
    drain.checks = 0
    drain.sentBytes = 0
  }

  const checkUpload = (upload: Upload): void => {
    const { request, response } = upload
    const { socket } = request
    if (request.complete || socket.destroyed) {
      uploads.delete(upload)
    } else if (response.writableFinished) {
      upload.answeredChecks += 1
      if (upload.answeredChecks >= LINGER_CHECKS) end('answered before the end of the body', socket)
    } else if (request.readableLength > 0 || socket.isPaused()) {
      startWindow(upload)
    } else {
      upload.checks += 1
      if (upload.checks < STALL_CHECKS) return
      if (socket.bytesRead - upload.startBytes < MIN_RECEIVED_BYTES) end('request body stalled', socket)
      else startWindow(upload)
    }
  }

  /** Runs after Node has parsed what came with the headers, which for most requests is the whole body. */
  const addIncomplete = (): void => {
    for (const upload of arrived) if (!upload.request.complete) uploads.add(upload)
    arrived = []
  }

  return {
    addConnection(socket) {
      connections.set(socket, { bytesRead: 0, idleChecks: 0 })
      socket.once('close', () => {
        connections.delete(socket)
        drains.delete(socket)
      })
    },
    addRequest(request, response) {
      const { socket } = request
      socket.destroySoon = endWritableSide
      if (arrived.length === 0) setImmediate(addIncomplete)
      arrived.push({ request, response, checks: 0, startBytes: socket.bytesRead, answeredChecks: 0 })
    },
    check() {
      for (const [socket, connection] of connections) {
        checkIdle(socket, connection)
        checkDrain(socket)
      }
      for (const upload of uploads) checkUpload(upload)
    },
  }
}

/** Whether a request is in progress: Node assigns its response to the socket until it is sent. */
const isResponding = (socket: Socket & { _httpMessage?: ServerResponse | null }): boolean =>
  Boolean(socket._httpMessage) || socket.writableLength > 0

/**
 * Replaces Node's `destroySoon`, which closes a connection as soon as the response is sent. If the rest of a body is
 * still arriving, the kernel then resets the connection and the client loses the response.
 */
function endWritableSide(this: Socket): void {
  this.end()
}

function startWindow(upload: Upload): void {
  upload.checks = 0
  upload.startBytes = upload.request.socket.bytesRead
}

/** A large write completes only when all of it has been sent; until then the size of its queue shows the progress. */
function addProgress(drain: Drain, now: SentResponse): void {
  const { last } = drain
  drain.sentBytes +=
    now.bytes > last.bytes ? now.bytes - last.bytes : Math.max(0, last.queuedBytes - now.queuedBytes)
  drain.last = now
}

function readSent(socket: Socket): SentResponse {
  const handle = (socket as { _handle?: Handle | null })._handle
  return {
    bytes: socket.bytesWritten - socket.writableLength,
    queuedBytes: handle?._parent?.writeQueueSize ?? handle?.writeQueueSize ?? 0,
  }
}
