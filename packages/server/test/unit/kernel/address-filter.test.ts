import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAddressFilter, parseNetwork, toLiteralAddress } from '../../../src/kernel/address-filter.ts'

const networks = (...texts: string[]) => texts.flatMap((text) => parseNetwork(text) ?? [])
const publicOnly = createAddressFilter([])

describe('addresses that a third party may choose', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '223.255.255.254', '2606:4700::1111', '2a00:1450::1'])
    test(`${address} is public`, () => assert.equal(publicOnly.isAllowed(address), true))

  const NOT_PUBLIC = [
    ['0.0.0.0', '0.255.255.255', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
    ['127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1'],
    ['192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1', '198.19.255.255'],
    ['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1'],
    ['64:ff9b::808:808', '100::1', '2001::1', '2001:1ff::1', '2001:db8::1', '2002:7f00:1::1'],
    [
      '3fff::1',
      '3fff:fff::1',
      'fc00::1',
      'fd00::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '4000::1',
    ],
    ['localhost', '', '8.8.8', '[2606:4700::1111]'],
  ].flat()
  for (const address of NOT_PUBLIC)
    test(`${address || 'nothing'} is not allowed`, () => {
      assert.equal(publicOnly.isAllowed(address), false)
      assert.equal(publicOnly.isListed(address), false)
    })
})

describe('allowed networks', () => {
  const filter = createAddressFilter(networks('10.1.0.0/16', '127.0.0.1', 'fd00::/8', '64:ff9b::/96'))

  test('are added to the public addresses, and only they are listed', () => {
    for (const address of ['10.1.2.3', '127.0.0.1', 'fd12::1', '64:ff9b::808:808']) {
      assert.equal(filter.isAllowed(address), true, address)
      assert.equal(filter.isListed(address), true, address)
    }
    assert.equal(filter.isAllowed('8.8.8.8'), true)
    assert.equal(filter.isListed('8.8.8.8'), false)
    for (const address of ['10.2.0.1', '127.0.0.2', '::1', 'fe80::1', '::ffff:10.1.2.3', '64:ff9b::7f00:1'])
      assert.equal(filter.isAllowed(address), false, address)
  })

  test('of one family do not admit addresses of the other', () => {
    const everyIpv6 = createAddressFilter(networks('::/0'))
    assert.equal(everyIpv6.isAllowed('fe80::1'), true)
    const denied = ['127.0.0.1', '10.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::a9fe:a9fe']
    for (const address of denied) assert.equal(everyIpv6.isAllowed(address), false, address)
    const everyIpv4 = createAddressFilter(networks('0.0.0.0/0'))
    assert.equal(everyIpv4.isAllowed('127.0.0.1'), true)
    for (const address of ['::1', 'fd00::1', '::ffff:127.0.0.1'])
      assert.equal(everyIpv4.isAllowed(address), false, address)
  })

  test('are written in CIDR notation', () => {
    assert.deepEqual(parseNetwork('10.0.0.0/8'), { address: '10.0.0.0', prefix: 8, family: 'ipv4' })
    assert.deepEqual(parseNetwork('fd00::/8'), { address: 'fd00::', prefix: 8, family: 'ipv6' })
    assert.deepEqual(parseNetwork('10.1.1.1'), { address: '10.1.1.1', prefix: 32, family: 'ipv4' })
    for (const text of ['', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'localhost', '10.0.0.0/', '10.0.0.0/-1'])
      assert.equal(parseNetwork(text), undefined, text)
  })
})

test('a literal address in a URL is recognised in every spelling', () => {
  const literal = (host: string) => toLiteralAddress(new URL(`https://${host}/`).hostname)
  for (const host of ['127.1', '0x7f000001', '2130706433', '0177.0.0.1', '①②⑦.⓪.⓪.①', '127.0.0.1.'])
    assert.equal(literal(host), '127.0.0.1', host)
  assert.equal(literal('[::1]'), '::1')
  assert.equal(literal('[::ffff:127.0.0.1]'), '::ffff:7f00:1')
  assert.equal(literal('localhost'), undefined)
  assert.equal(literal('127.0.0.1.example.com'), undefined)
})
