import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { JsonRecords, jsonPieces } from '../../../../../src/http/pipeline/body/json-pieces.ts'
import {
  RECORDS_PER_PIECE,
  StreamedBody,
  toBody,
} from '../../../../../src/http/pipeline/body/streamed-body.ts'

const COUNTS = [0, 1, RECORDS_PER_PIECE, RECORDS_PER_PIECE + 1, 3 * RECORDS_PER_PIECE]
const records = (count: number): { name: string }[] =>
  Array.from({ length: count }, (_, index) => ({ name: `ü “${index}”` }))

describe('JSON in pieces', () => {
  for (const count of COUNTS)
    test(`equals the output of JSON.stringify for ${count} records`, () => {
      const data = records(count)
      const pagination = { nextCursor: null }
      const pieces = [...jsonPieces({ data: new JsonRecords(data, (item) => item), pagination })]
      assert.equal(pieces.join(''), JSON.stringify({ data, pagination }))
    })

  test('is an empty object for an empty document', () => assert.equal([...jsonPieces({})].join(''), '{}'))
})

describe('a streamed body', () => {
  const data = records(250)
  const pieces = () => jsonPieces({ data: new JsonRecords(data, (item) => item) })
  const whole = JSON.stringify({ data })

  test('has the digest and the length of its text, and then sends that text', async () => {
    const body = new StreamedBody(pieces)
    const digest = createHash('sha1').update(whole).digest('base64url')
    assert.deepEqual(await body.measure(), { digest, bytes: Buffer.byteLength(whole), isExact: true })
    assert.equal(await text(body), whole)
  })

  test('is not generated to be measured if its digest is known', async () => {
    let calls = 0
    const counted = () => {
      calls += 1
      return pieces()
    }
    const body = new StreamedBody(counted, { digest: 'known', bytes: 1 })
    assert.deepEqual(await body.measure(), { digest: 'known', bytes: 1, isExact: false })
    assert.equal(calls, 0)
    assert.equal(await text(body), whole)
  })

  test('is a string if it fits into one piece', () => {
    assert.equal(typeof toBody(pieces, RECORDS_PER_PIECE), 'string')
    assert.ok(toBody(pieces, RECORDS_PER_PIECE + 1) instanceof StreamedBody)
  })

  test('that differs from the measured text ends with an error', async () => {
    let length = 1
    const body = new StreamedBody(() => ['x'.repeat(length++)])
    await body.measure()
    await assert.rejects(text(body), /changed/)
  })

  test('generates no piece before the previous one was accepted', async () => {
    let made = 0
    const body = new StreamedBody(function* () {
      for (; made < 1_000; made += 1) yield 'x'.repeat(70_000)
    })
    body.once('readable', () => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.ok(made < 5, `${made} pieces`)
    body.destroy()
  })
})
