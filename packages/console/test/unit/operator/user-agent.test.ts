import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toBrowser } from '../../../src/operator/user-agent.ts'

it('a browser is named with its system', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
  assert.equal(toBrowser(chrome), 'Chrome on Linux')
  assert.equal(
    toBrowser(`${chrome.replace('X11; Linux x86_64', 'Windows NT 10.0')} Edg/130.0`),
    'Edge on Windows',
  )
  assert.equal(
    toBrowser('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1'),
    'Safari on iOS',
  )
  assert.equal(toBrowser('curl/8.0'), 'curl/8.0')
  assert.equal(toBrowser(''), 'unknown')
})
