import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseCoding, chooseType } from '../../../../src/http/pipeline/negotiate.ts'

const TYPES = ['application/json', 'text/csv'] as const

const ACCEPT: [string | undefined, string | undefined][] = [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['text/*', 'text/csv'],
  ['application/json;q=0.5, text/csv', 'text/csv'],
  ['text/csv;q=0, */*', 'application/json'],
  ['application/json;q=0, */*;q=0.1', 'text/csv'],
  ['application/xml', undefined],
  ['*/*;q=0', undefined],
]

for (const [header, expected] of ACCEPT) {
  test(`Accept: ${header} gives ${expected}`, () => assert.equal(chooseType(header, TYPES), expected))
}

const CODINGS: [header: string | undefined, long: string | undefined, short: string | undefined][] = [
  [undefined, 'identity', 'identity'],
  ['', 'identity', 'identity'],
  ['gzip', 'gzip', 'identity'],
  ['gzip, br', 'br', 'identity'],
  ['br;q=0.5, gzip', 'gzip', 'identity'],
  ['gzip;q=0, br;q=0', 'identity', 'identity'],
  ['identity;q=0, gzip', 'gzip', 'gzip'],
  ['*', 'br', 'identity'],
  ['*;q=0', undefined, undefined],
  ['*;q=0, gzip', 'gzip', 'gzip'],
  ['deflate', 'identity', 'identity'],
  ['gzip;q=abc', 'identity', 'identity'],
]

for (const [header, long, short] of CODINGS) {
  test(`Accept-Encoding: ${header} gives ${long}, and ${short} for a short body`, () => {
    assert.equal(chooseCoding(header, false), long)
    assert.equal(chooseCoding(header, true), short)
  })
}
