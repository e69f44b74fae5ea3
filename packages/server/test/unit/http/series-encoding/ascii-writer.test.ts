import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AsciiWriter } from '../../../../src/http/v2/series-encoding/ascii-writer.ts'

const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -1e12, max: 1e12 }).map((scaled) => scaled / 1e6),
  fc.integer({ min: -1e6, max: 1e6 }).map((scaled) => scaled / 1e3),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1e-6, 1e-7, 999_999_999.999999, 1e9, 1e15, 1e21, 0.1 + 0.2, 9.999999, 10, 99, 100),
)

test('numbers are written as JavaScript writes them', () => {
  const writer = new AsciiWriter()
  fc.assert(
    fc.property(number, (value) => assert.equal(writer.addNumber(value).take(), `${value}`)),
    { numRuns: 5_000 },
  )
})

test('chunks are appended at any length, and returned once', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', maxLength: 9_000 }),
    number,
    fc.string({ unit: 'grapheme-ascii' }).map((text) => Buffer.from(text)),
  )
  const writer = new AsciiWriter()
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      for (const one of pieces) {
        if (typeof one === 'string') writer.addText(one)
        else if (typeof one === 'number') writer.addNumber(one)
        else writer.add(one)
      }
      const expected = pieces.map((one) => (typeof one === 'object' ? one.toString() : `${one}`)).join('')
      assert.equal(writer.length, expected.length)
      assert.equal(writer.take(), expected)
      assert.equal(writer.take(), '')
    }),
  )
})
