import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { createAddressLimit } from '../../../../../src/http/pipeline/connections/connections-per-address.ts'
import { toAddressKey } from '../../../../../src/kernel/address-key.ts'

const from = (remoteAddress: string | undefined): Socket =>
  Object.assign(new EventEmitter(), { remoteAddress }) as Socket

describe('an address', () => {
  const cases: [address: string, key: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::ffff:1:2:3:4', '2001:db8:0:ffff::/64'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1', 'fe80:0:0:0::/64'],
  ]
  for (const [address, key] of cases)
    test(`${address} counts as ${key}`, () => assert.equal(toAddressKey(address), key))
})

describe('the connection limit', () => {
  test('applies to each address, and a closed connection makes room', () => {
    const isWithinLimit = createAddressLimit({ max: 2, trustProxy: false })
    const first = from('192.0.2.1')
    assert.ok(isWithinLimit(first))
    assert.ok(isWithinLimit(from('::ffff:192.0.2.1')))
    assert.ok(!isWithinLimit(from('192.0.2.1')))
    assert.ok(isWithinLimit(from('192.0.2.2')))
    first.emit('close')
    assert.ok(isWithinLimit(from('192.0.2.1')))
    assert.ok(!isWithinLimit(from('192.0.2.1')))
  })

  const proxies: [trustProxy: boolean | number | string[], address: string, isLimited: boolean][] = [
    [false, '127.0.0.1', true],
    [0, '127.0.0.1', true],
    [true, '192.0.2.1', false],
    [1, '192.0.2.1', false],
    [['10.0.0.0/8'], '10.1.2.3', false],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', false],
    [['10.0.0.0/8'], '192.0.2.1', true],
    [['loopback', '2001:db8::/32'], '::1', false],
    [['loopback', '2001:db8::/32'], '127.0.0.9', false],
    [['loopback', '2001:db8::/32'], '2001:db8::7', false],
    [['uniquelocal', 'linklocal'], '192.168.1.1', false],
    [['uniquelocal', 'linklocal'], '8.8.8.8', true],
  ]
  for (const [trustProxy, address, isLimited] of proxies)
    test(`${isLimited ? 'applies' : 'does not apply'} to ${address} with TRUST_PROXY ${JSON.stringify(trustProxy)}`, () => {
      const isWithinLimit = createAddressLimit({ max: 1, trustProxy })
      assert.ok(isWithinLimit(from(address)))
      assert.equal(isWithinLimit(from(address)), !isLimited)
    })
})
