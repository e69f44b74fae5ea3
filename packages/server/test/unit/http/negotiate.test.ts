import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseCoding, chooseType } from '../../../src/http/negotiate.ts'

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

const CODINGS: [string | undefined, string][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['gzip;q=0, br;q=0', 'identity'],
  ['identity;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['deflate', 'identity'],
  ['gzip;q=abc', 'identity'],
]

for (const [header, expected] of CODINGS) {
  test(`Accept-Encoding: ${header} gives ${expected}`, () => assert.equal(chooseCoding(header), expected))
}
