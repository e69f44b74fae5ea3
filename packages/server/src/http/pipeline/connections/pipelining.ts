import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_PIPELINED_REQUESTS, MAX_PIPELINED_REQUESTS_IN_TOTAL } from '../limits.ts'

/** Requests of a connection that wait for the responses before them. */
interface Queue {
  length: number
  /** Response to the newest request. */
  last: ServerResponse
  /** The bound was exceeded: the connection is closed after the last response. */
  isFull: boolean
}

/**
 * Forwards requests one at a time per connection, each when the previous response has been sent. Node parses and emits
 * every request of a chunk, so for a client that pipelines requests and reads nothing, all responses would be computed
 * and buffered. While requests are waiting, their connection is not read.
 */
export function onePerConnection(
  handler: RequestListener,
  reportFull: (socket: Socket) => void,
): RequestListener {
  const queues = new WeakMap<Socket, Queue>()
  let total = 0

  const createQueue = (socket: Socket, last: ServerResponse): Queue => {
    const queue: Queue = { length: 0, last, isFull: false }
    queues.set(socket, queue)
    socket.once('close', () => {
      total -= queue.length
      queue.length = 0
    })
    return queue
  }

  const enqueue = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    const queue = queues.get(socket) ?? createQueue(socket, response)
    if (queue.isFull || socket.destroyed) return
    if (queue.length >= MAX_PIPELINED_REQUESTS || total >= MAX_PIPELINED_REQUESTS_IN_TOTAL) {
      queue.isFull = true
      reportFull(socket)
      stopParsing(socket)
      if (queue.length === 0) socket.destroy()
      else queue.last.shouldKeepAlive = false
      return
    }
    queue.length += 1
    total += 1
    queue.last = response
    // Deferred, because Node resumes the socket at the end of each request that it parses.
    process.nextTick(() => {
      if (queue.length > 0) socket.pause()
    })
    // Node assigns the socket when all responses before this one have been sent.
    response.once('socket', () => setImmediate(dispatch, request, response, queue))
  }

  const dispatch = (request: IncomingMessage, response: ServerResponse, queue: Queue): void => {
    const { socket } = request
    if (socket.destroyed) return
    queue.length -= 1
    total -= 1
    if (queue.length === 0 && !queue.isFull) socket.resume()
    handler(request, response)
  }

  return (request, response) => {
    if (response.socket === null) enqueue(request, response)
    else handler(request, response)
  }
}

/** Return value that tells Node's parser that no further request follows, as after an upgrade. */
const NO_MORE_REQUESTS = 2

/** Ignores further requests: Node would parse the rest of the chunk, which can be thousands, only to abort them. */
export function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } | null }
  if (parser) parser.onIncoming = () => NO_MORE_REQUESTS
}
