import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createByteTally } from '../../../../src/mqtt/brokers/byte-tally.ts'
import {
  type BackpressureSocket,
  withBackpressure,
} from '../../../../src/mqtt/brokers/backpressure-socket.ts'

const CONNECT = Buffer.from([0x10, 4, 1, 2, 3, 4])
const PING = Buffer.from([0xc0, 0])
const MIB = 1024 * 1024

/** Both ends of a connection, with the server's end guarded, and a reader that consumes what is available. */
async function createFixture(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  const total = createByteTally()
  const broken: string[] = []
  const guard: BackpressureSocket = withBackpressure(socket, total, ({ code }) => broken.push(code))
  const read: Buffer[] = []
  guard.stream.on('readable', () => {
    const chunk: Buffer | null = guard.stream.read()
    if (chunk) read.push(chunk)
  })
  guard.stream.on('error', () => {})
  client.on('error', () => {})
  t.after(() => {
    client.destroy()
    socket.destroy()
    server.close()
  })
  const readBytes = (): number => Buffer.concat(read).length
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await delay(5)
  }
  return { client, socket, guard, total, broken, readBytes, until }
}

test('packets after a CONNECT are read after sign-on, in order', async (t) => {
  const { client, guard, readBytes, until } = await createFixture(t)
  client.write(Buffer.concat([CONNECT, ...Array.from({ length: 1_000 }, () => PING)]))
  await until(() => readBytes() > 0)
  await delay(50)
  assert.equal(readBytes(), CONNECT.length)
  guard.admit(createByteTally())
  await until(() => readBytes() === CONNECT.length + 1_000 * PING.length)
})

test('a connection is not read while too many of its messages are unacknowledged, and closing it releases its memory', async (t) => {
  const { client, guard, total, readBytes, until } = await createFixture(t)
  const account = createByteTally()
  client.write(CONNECT)
  await until(() => readBytes() > 0)
  guard.admit(account)
  const release = guard.track(4 * MIB)
  client.write(PING)
  await delay(50)
  // The chunk that was already being processed may have passed; nothing after it does.
  const before = readBytes()
  client.write(PING)
  await delay(50)
  assert.equal(readBytes(), before)
  release()
  await until(() => readBytes() === CONNECT.length + 2 * PING.length)
  guard.track(1_000)
  assert.ok(account.bytes.unanswered > 1_000 && total.bytes.unanswered > 1_000)
  client.destroy()
  await until(() => guard.isClosed)
  assert.deepEqual([account.bytes.unanswered, total.bytes.unanswered], [0, 0])
})

test('if others use up the bound of the account, a connection that holds little itself is still read', async (t) => {
  const { client, guard, readBytes, until } = await createFixture(t)
  const account = createByteTally()
  account.bytes.unanswered = 16 * MIB
  client.write(CONNECT)
  await until(() => readBytes() > 0)
  guard.admit(account)
  client.write(PING)
  await until(() => readBytes() === CONNECT.length + PING.length)
  guard.track(64 * 1024)
  client.write(PING)
  await delay(50)
  client.write(PING)
  await delay(50)
  const before = readBytes()
  client.write(PING)
  await delay(50)
  assert.equal(readBytes(), before)
})

test('a write never waits, and a client that does not read is closed at 4 MiB, or after 30 s without a byte', async (t) => {
  const { client, guard, broken, until } = await createFixture(t)
  client.pause()
  guard.admit(createByteTally())
  let written = 0
  while (!guard.isClosed) {
    assert.ok(guard.stream.write(Buffer.alloc(16 * 1024)) || guard.isClosed)
    written += 16 * 1024
    await new Promise(setImmediate)
  }
  // The kernel buffers some further megabytes of a local connection.
  assert.ok(written < 24 * MIB, `${written} bytes`)
  assert.deepEqual(broken, ['slow-consumer'])
  await until(() => guard.stream.destroyed)

  const other = await createFixture(t)
  other.client.pause()
  other.guard.admit(createByteTally())
  while (other.total.bytes.outgoing < 100_000) {
    other.guard.stream.write(Buffer.alloc(16 * 1024))
    await new Promise(setImmediate)
  }
  await delay(50)
  other.guard.checkDrain(2_000)
  for (let seconds = 0; seconds < 28; seconds += 2) other.guard.checkDrain(2_000)
  assert.equal(other.guard.isClosed, false)
  other.guard.checkDrain(2_000)
  assert.equal(other.guard.isClosed, true)
})
