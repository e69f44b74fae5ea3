import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  createPacketLimit,
  PacketError,
  type PacketLimit,
  readPayload,
} from '../../../../src/mqtt/brokers/packet-limit.ts'

const CONNECT = Buffer.from([0x10, 4, 1, 2, 3, 4])

function lengthBytes(length: number): number[] {
  const bytes: number[] = []
  let rest = length
  do {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return bytes
}

function publish(topic: string, payload: Buffer, qos: 0 | 1 = 1): Buffer {
  const name = Buffer.from(topic)
  const head = Buffer.concat([
    Buffer.from([name.length >> 8, name.length & 255]),
    name,
    ...(qos > 0 ? [Buffer.from([0x12, 0x34])] : []),
  ])
  const length = head.length + payload.length
  return Buffer.concat([Buffer.from([0x30 | (qos << 1), ...lengthBytes(length)]), head, payload])
}

const inPieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )

/** The forwarded bytes, in event-loop ticks of a few packets each. */
function pass(limit: PacketLimit, pieces: readonly Buffer[], maxPackets = 1000): Buffer {
  const out: Buffer[] = []
  for (const piece of pieces) {
    for (let rest = piece; rest.length > 0; ) {
      const taken = limit.take(rest, maxPackets)
      out.push(...taken.passed)
      rest = taken.rest
    }
  }
  return Buffer.concat(out)
}

test('packets within the limit pass unchanged, however the stream is split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 700 }),
      fc.integer({ min: 1, max: 5 }),
      (payloads, size, maxPackets) => {
        const stream = Buffer.concat([
          CONNECT,
          ...payloads.map((payload) => publish('a/b', Buffer.from(payload))),
          Buffer.from([0xc0, 0]),
        ])
        assert.deepEqual(pass(createPacketLimit(), inPieces(stream, size), maxPackets), stream)
      },
    ),
  )
})

for (const qos of [0, 1] as const) {
  test(`a publish above the limit at QoS ${qos} is replaced by its size and first bytes, and the stream continues`, () => {
    const payload = Buffer.alloc(3_000_000, 'z')
    const behind = publish('c', Buffer.from('small'), qos)
    const stream = Buffer.concat([CONNECT, publish('portico/v1/x', payload, qos), behind])
    const passed = pass(createPacketLimit(), inPieces(stream, 65_536))
    assert.ok(passed.length < 1000)
    assert.deepEqual(passed.subarray(-behind.length), behind)
    const start = passed.indexOf('portico/v1/x') + 'portico/v1/x'.length + (qos > 0 ? 2 : 0)
    const read = readPayload(passed.subarray(start, passed.length - behind.length))
    assert.equal(read.payloadBytes, payload.length)
    assert.deepEqual(read.payload, payload.subarray(0, 256))
  })
}

test('an ordinary payload is unchanged', () => {
  const payload = Buffer.from('{"readings":[]}')
  assert.deepEqual(readPayload(payload), { payload, payloadBytes: payload.length })
})

test('a first packet other than CONNECT, another oversized packet, and a length without an end are rejected', () => {
  const take = (...bytes: number[]): unknown => createPacketLimit().take(Buffer.from(bytes), 1)
  assert.throws(() => take(0x30, 0x02), PacketError)
  assert.throws(() => take(0x10, 0x80, 0x80, 0x80, 0x01), PacketError)
  assert.throws(() => take(0x10, 0xff, 0xff, 0xff, 0xff, 0x01), PacketError)
})

test('a CONNECT above 4 KiB is rejected before any of it is buffered', () => {
  const connect = (length: number): Buffer => Buffer.from([0x10, ...lengthBytes(length)])
  const limit = createPacketLimit()
  limit.take(Buffer.concat([connect(4096), Buffer.alloc(4095)]), 1)
  assert.ok(limit.incompleteBytes <= 4096)
  assert.equal(limit.take(Buffer.alloc(1), 1).passed.length, 2)
  assert.throws(() => createPacketLimit().take(connect(4097), 1), PacketError)
})

test('an announced packet takes no memory, and one that arrives in small chunks at most twice its size', () => {
  const limit = createPacketLimit()
  pass(limit, [CONNECT])
  limit.take(Buffer.from([0x32, ...lengthBytes(1_000_000)]), 1)
  assert.equal(limit.incompleteBytes, 0)
  for (let received = 1; received <= 20_000; received += 1) {
    limit.take(Buffer.alloc(1), 1)
    assert.ok(limit.incompleteBytes <= Math.max(1024, 2 * received))
  }
  pass(limit, [Buffer.alloc(980_000)])
  assert.equal(limit.incompleteBytes, 0)
})
