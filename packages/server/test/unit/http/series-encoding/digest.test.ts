import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Digest } from '../../../../src/http/v2/series-encoding/digest.ts'

const computeDigest = (...texts: string[]): string => {
  const digest = new Digest()
  for (const text of texts) digest.addText(text)
  return digest.toString()
}

test('different texts have different digests, equal texts equal ones', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      assert.equal(computeDigest(one) === computeDigest(other), one === other)
    }),
  )
})

test('one different character changes both halves', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      fc.uniqueArray(fc.nat(65_535), { minLength: 2, maxLength: 2 }),
      (before, after, codes) => {
        const [one, other] = codes.map((code) =>
          new Digest().addText(before + String.fromCharCode(code) + after),
        )
        assert.notEqual(one?.a, other?.a)
        assert.notEqual(one?.b, other?.b)
      },
    ),
  )
})

test('consecutive numbers, like those of meters, have distinct digests', () => {
  const digests = new Set(
    Array.from({ length: 200_000 }, (_, count) => computeDigest(`{"value":${count / 1000}}`)),
  )
  assert.equal(digests.size, 200_000)
})

test('so do the numbers themselves; -0 equals 0', () => {
  const ofNumber = (value: number): string => new Digest().addNumber(value).toString()
  const digests = new Set(Array.from({ length: 200_000 }, (_, count) => ofNumber(count / 1000)))
  assert.equal(digests.size, 200_000)
  assert.equal(ofNumber(-0), ofNumber(0))
  assert.notEqual(ofNumber(Number.NaN), ofNumber(0))
})

test('one different number changes the digest, whatever follows', () => {
  const number = fc.double({ noNaN: true })
  fc.assert(
    fc.property(
      fc.uniqueArray(number, { minLength: 2, maxLength: 2, comparator: (a, b) => a === b }),
      fc.array(number),
      (values, after) => {
        const [one, other] = values.map((value) =>
          after.reduce((digest, next) => digest.addNumber(next), new Digest().addNumber(value)),
        )
        assert.notEqual(one?.toString(), other?.toString())
      },
    ),
  )
})

test('parts in a different order have a different digest', () => {
  const parts = ['a', 'b'].map((text) => new Digest().addText(text))
  const inOrder = (order: Digest[]): string =>
    order.reduce((whole, { a, b }) => whole.addPart(a, b), new Digest()).toString()
  assert.notEqual(inOrder(parts), inOrder(parts.toReversed()))
})
