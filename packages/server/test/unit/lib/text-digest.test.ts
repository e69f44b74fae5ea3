import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TextDigest } from '../../../src/lib/text-digest.ts'

const digestOf = (...texts: string[]): string => {
  const digest = new TextDigest()
  for (const text of texts) digest.addText(text)
  return digest.toString()
}

test('texts that differ have other digests, the same text the same', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      assert.equal(digestOf(one) === digestOf(other), one === other)
    }),
  )
})

test('one character that differs makes both halves differ', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      fc.uniqueArray(fc.nat(65_535), { minLength: 2, maxLength: 2 }),
      (before, after, codes) => {
        const [one, other] = codes.map((code) =>
          new TextDigest().addText(before + String.fromCharCode(code) + after),
        )
        assert.notEqual(one?.a, other?.a)
        assert.notEqual(one?.b, other?.b)
      },
    ),
  )
})

test('numbers that count up, as those of meters do, have digests of their own', () => {
  const digests = new Set(
    Array.from({ length: 200_000 }, (_, count) => digestOf(`{"value":${count / 1000}}`)),
  )
  assert.equal(digests.size, 200_000)
})

test('parts in another order are another text', () => {
  const parts = ['a', 'b'].map((text) => new TextDigest().addText(text))
  const inOrder = (order: TextDigest[]): string =>
    order.reduce((whole, { a, b }) => whole.addPart(a, b), new TextDigest()).toString()
  assert.notEqual(inOrder(parts), inOrder(parts.toReversed()))
})
