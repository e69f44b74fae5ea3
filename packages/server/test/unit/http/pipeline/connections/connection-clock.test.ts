import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, test } from 'node:test'
import { createConnectionClock } from '../../../../../src/http/pipeline/connections/connection-clock.ts'
import {
  KEEP_ALIVE_SECONDS,
  LINGER_CHECKS,
  MIN_RECEIVED_BYTES,
  MIN_SENT_BYTES,
  STALL_CHECKS,
} from '../../../../../src/http/pipeline/limits.ts'

/** The parts of a connection that the clock uses. */
class Connection extends EventEmitter {
  writableLength = 0
  writableEnded = false
  bytesWritten = 0
  bytesRead = 0
  destroyed = false
  isReadingPaused = false
  /** The response in progress. */
  _httpMessage: object | null = null
  _handle = { writeQueueSize: 0 }

  isPaused(): boolean {
    return this.isReadingPaused
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function setUp() {
  const connection = new Connection()
  const socket = connection as unknown as Socket
  const ended: string[] = []
  const clock = createConnectionClock((reason) => {
    ended.push(reason)
    connection.destroy()
  })
  clock.addConnection(socket)
  const pass = (checks: number, between: () => void = () => {}): void => {
    for (let done = 0; done < checks; done += 1) {
      clock.check()
      between()
    }
  }
  return { clock, connection, socket, ended, pass }
}

describe('a response', () => {
  test('that is not read closes the connection after 30 checks', () => {
    const { connection, ended, pass } = setUp()
    connection.writableLength = connection.bytesWritten = 1_000_000
    pass(STALL_CHECKS)
    assert.deepEqual(ended, [])
    pass(1)
    assert.deepEqual(ended, ['response not drained'])
  })

  test('that is read byte by byte closes it, too', () => {
    const { connection, ended, pass } = setUp()
    connection.writableLength = connection.bytesWritten = 1_000_000
    connection._handle.writeQueueSize = 1_000_000
    pass(STALL_CHECKS + 1, () => (connection._handle.writeQueueSize -= 1))
    assert.deepEqual(ended, ['response not drained'])
  })

  test('of one large write does not close it while the write makes progress', () => {
    const { connection, ended, pass } = setUp()
    connection.writableLength = connection.bytesWritten = 10_000_000
    connection._handle.writeQueueSize = 10_000_000
    pass(10 * STALL_CHECKS, () => (connection._handle.writeQueueSize -= MIN_SENT_BYTES / STALL_CHECKS + 1))
    assert.deepEqual(ended, [])
  })

  test('after one that was read gets its own time', () => {
    const { connection, ended, pass } = setUp()
    connection.writableLength = connection.bytesWritten = 1_000_000
    pass(STALL_CHECKS - 1)
    connection.writableLength = 0
    pass(1)
    connection.writableLength = connection.bytesWritten = 2_000_000
    pass(STALL_CHECKS)
    assert.deepEqual(ended, [])
  })

  test('that is not ready yet does not close it', () => {
    const { ended, connection, pass } = setUp()
    connection._httpMessage = {}
    pass(10 * STALL_CHECKS)
    assert.deepEqual(ended, [])
    assert.equal(connection.destroyed, false)
  })
})

describe('an idle connection', () => {
  test('is closed after the time that responses announce', () => {
    const { connection, ended, pass } = setUp()
    connection.bytesRead = 500
    connection._httpMessage = {}
    pass(2 * KEEP_ALIVE_SECONDS)
    connection._httpMessage = null
    pass(KEEP_ALIVE_SECONDS)
    assert.equal(connection.destroyed, false)
    pass(1)
    assert.equal(connection.destroyed, true)
    assert.deepEqual(ended, [])
  })

  test('that sends another request is closed that time after it', () => {
    const { connection, pass } = setUp()
    connection.bytesRead = 500
    pass(1 + KEEP_ALIVE_SECONDS)
    connection.bytesRead += 500
    pass(1 + KEEP_ALIVE_SECONDS)
    assert.equal(connection.destroyed, false)
    pass(1)
    assert.equal(connection.destroyed, true)
  })

  test('is not one whose last response is still being read', () => {
    const { connection, pass } = setUp()
    connection.writableLength = connection.bytesWritten = 10_000_000
    connection._handle.writeQueueSize = 10_000_000
    pass(
      2 * KEEP_ALIVE_SECONDS,
      () => (connection._handle.writeQueueSize -= MIN_SENT_BYTES / STALL_CHECKS + 1),
    )
    assert.equal(connection.destroyed, false)
  })
})

test('a connection that the server has ended is closed when the client does not close it', () => {
  const { connection, pass } = setUp()
  connection.writableEnded = true
  pass(LINGER_CHECKS)
  assert.equal(connection.destroyed, false)
  pass(1)
  assert.equal(connection.destroyed, true)
})

describe('a request body', () => {
  async function startUpload() {
    const setup = setUp()
    const request = { socket: setup.socket, complete: false, readableLength: 0 }
    const response = { writableFinished: false }
    setup.clock.addRequest(request as IncomingMessage, response as ServerResponse)
    await nextTurn()
    return { ...setup, request, response }
  }

  test('that stops arriving closes the connection after 30 checks', async () => {
    const { ended, pass } = await startUpload()
    pass(STALL_CHECKS - 1)
    assert.deepEqual(ended, [])
    pass(1)
    assert.deepEqual(ended, ['request body stalled'])
  })

  test('that arrives in single bytes closes it, too', async () => {
    const { connection, ended, pass } = await startUpload()
    pass(STALL_CHECKS, () => (connection.bytesRead += 1))
    assert.deepEqual(ended, ['request body stalled'])
  })

  test('that arrives slowly, but steadily, may take any time', async () => {
    const { connection, ended, pass } = await startUpload()
    pass(20 * STALL_CHECKS, () => (connection.bytesRead += (2 * MIN_RECEIVED_BYTES) / STALL_CHECKS))
    assert.deepEqual(ended, [])
  })

  test('that waits for the server to process it may take any time', async () => {
    const { connection, request, ended, pass } = await startUpload()
    request.readableLength = 1
    pass(2 * STALL_CHECKS)
    request.readableLength = 0
    connection.isReadingPaused = true
    pass(2 * STALL_CHECKS)
    assert.deepEqual(ended, [])
  })

  test('that is complete is no longer watched', async () => {
    const { request, ended, pass } = await startUpload()
    request.complete = true
    pass(2 * STALL_CHECKS)
    assert.deepEqual(ended, [])
  })

  test('whose request was answered closes the connection after a moment', async () => {
    const { connection, response, ended, pass } = await startUpload()
    response.writableFinished = true
    pass(LINGER_CHECKS, () => (connection.bytesRead += 1_000_000))
    assert.deepEqual(ended, ['answered before the end of the body'])
  })
})
