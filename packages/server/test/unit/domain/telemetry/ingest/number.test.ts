import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toNumber } from '../../../../../src/domain/telemetry/ingest/number.ts'

const digits = fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: 18 })

test('a number is parsed as JavaScript does, to the last bit', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', '-', '+'),
      digits,
      fc.option(digits),
      fc.constantFrom('', 'e3', 'E-7'),
      (sign, whole, decimals, exponent) => {
        const text = `${sign}${whole}${decimals === null ? '' : `.${decimals}`}${exponent}`
        assert.equal(toNumber(text), Number(text))
      },
    ),
    { numRuns: 5_000 },
  )
})

test('a decimal point may be first or last', () => {
  assert.equal(toNumber('5.'), 5)
  assert.equal(toNumber('.5'), 0.5)
})

test('other text is rejected, even if JavaScript accepts it', () => {
  for (const text of ['', '.', '-', '1.2.3', '1e', '0x10', 'Infinity', '1_000', '١', ' 1', '1,5'])
    assert.equal(toNumber(text), Number.NaN, text)
})
