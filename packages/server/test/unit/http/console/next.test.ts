import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toNextPage } from '../../../../src/http/console/next.ts'

test('pages of the console are kept with their query', () => {
  for (const page of ['/console', '/console/operator', '/console/a/spaces?filter=x%26y&b=1'])
    assert.equal(toNextPage(page), page)
})

test('any other address becomes the first page', () => {
  const others = [
    undefined,
    null,
    '',
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '\\\\evil.example',
    '/console/../evil',
    '/console/%2e%2e/evil',
    '/console\\..\\evil',
    '/consoles',
    '/v2/sites',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/console/enter?code=x',
    '/console/session',
    `/console/${'x'.repeat(2_000)}`,
  ]
  for (const other of others) assert.equal(toNextPage(other), '/console', String(other))
})

test('line breaks cannot end the Location header', () => {
  assert.doesNotMatch(toNextPage('/console/a\r\nSet-Cookie: b=c'), /[\r\n]/)
})
