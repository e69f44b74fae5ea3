import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseBearer } from '../../../../src/http/pipeline/gates.ts'

test('a bearer token is one word after the scheme in any case, with spaces around it', () => {
  const part = fc.constantFrom(
    'Bearer',
    'bearer',
    'BEARER',
    'Basic',
    ' ',
    '  ',
    '\t',
    '\u00a0',
    'a.b-c',
    'ü',
    '',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const header = parts.join('')
      assert.equal(parseBearer(header), /^bearer +(\S+) *$/i.exec(header)?.[1])
    }),
    { numRuns: 2_000 },
  )
  assert.equal(parseBearer('Bearer x.y.z'), 'x.y.z')
  assert.equal(parseBearer('Bearer \tx'), undefined)
})
