import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asString } from '../support/json.ts'
import { makeDevCert } from '../support/servers/dev-cert.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { type DnsAnswers, startDnsServer } from '../support/webhooks/dns-server.ts'
import { startForbiddenListener, startReceiver } from '../support/webhooks/receiver.ts'
import { addWebhook, testWebhook } from '../support/webhooks/webhooks.ts'

/** Names that lead to the listener on 127.0.0.1, and one to the receiver on 127.0.0.2, which is allowed. */
const names: DnsAnswers = {
  'internal.test': [['127.0.0.1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'loopback6.test': [['::1']],
  'metadata.test': [['169.254.169.254']],
  'private.test': [['10.0.0.1', '192.168.0.1', '172.16.0.1']],
  'mixed.test': [['127.0.0.1', '10.0.0.1', '::1']],
  'nat64.test': [['64:ff9b::7f00:1']],
  'allowed.test': [['127.0.0.2']],
  'half.test': [['127.0.0.1', '127.0.0.2']],
  'rebinding.test': [['127.0.0.2'], ['127.0.0.1']],
  'flipping.test': [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']],
}

const dns = await startDnsServer(names)
const receiver = await startReceiver({ host: '127.0.0.2' })
const { port } = receiver
/** Has the port of the receiver, so that a connection to the wrong address is noticed. */
const forbidden = await startForbiddenListener('127.0.0.1', port)
const installation = await startInstallation({
  // NAT64 leads to public IPv4 addresses only.
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.2/32,64:ff9b::/96',
  NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/dns-server.ts')}`,
  DNS_SERVER: dns.address,
})
after(() => installation.stop())
const house = makeSmallSite()
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])

after(async () => {
  assert.equal(forbidden.count(), 0, 'the internal listener accepted no connection')
  for (const server of [dns, receiver, forbidden]) await server[Symbol.asyncDispose]()
})

/** 70 spellings of addresses that are not public. */
const LITERALS = [
  '127.0.0.1 127.1 127.0.1 127.0.0.01 0177.0.0.1 0x7f.0.0.1 0x7f000001 2130706433 017700000001 127.0.0.1.',
  '①②⑦.⓪.⓪.① 127。0。0。1 0x7F.1 127.255.255.254 0.0.0.0 0 0x0 10.0.0.1 10.255.255.255 0xa000001',
  '100.64.0.1 100.127.255.255 169.254.169.254 0xa9fea9fe 2852039166 172.16.0.1 172.31.255.255 192.0.0.1',
  '192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 0xc0a80001 198.18.0.1 198.19.255.255 198.51.100.1',
  '203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 [::] [::1] [0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:8.8.8.8] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::1] [100::1]',
  '%31%32%37.0.0.1 0x7f.0x0.0x0.0x1 0177.0.0.01 10.0.0.1. 169.254.169.254. [::ffff:0:127.0.0.1] [0:0:0:0:0:FFFF:7F00:1]',
  '[::ffff:169.254.169.254] [::ffff:10.0.0.1] [::ffff:a00:1]',
  '[2001::1] [2001:db8::1] [2002:7f00:1::] [3fff::1] [fc00::1] [fd12:3456::1] [fe80::1] [fec0::1] [ff02::1]',
].flatMap((line) => line.split(' '))

describe('a private address as a literal', () => {
  assert.ok(LITERALS.length >= 70)

  for (const host of LITERALS)
    test(`https://${host} is 400 address-not-allowed`, async () => {
      const answer = await client.post('/webhooks', { url: `https://${host}:${port}/` })
      assert.equal(answer.status, 400, answer.text)
      assert.match(asString(answer.json['type']), /\/errors\/address-not-allowed$/)
    })

  test('is rejected by a change as well', async () => {
    const { webhookUuid } = await addWebhook(client, 'https://partner.example.com/')
    const change = { method: 'PATCH', body: { url: 'https://127.0.0.1/' } }
    const answer = await client.send(`/webhooks/${webhookUuid}`, change)
    assert.equal(answer.status, 400, answer.text)
    await client.send(`/webhooks/${webhookUuid}`, { method: 'DELETE' })
  })

  test('is allowed in a listed network, without TLS too', async () => {
    const { webhookUuid } = await addWebhook(client, receiver.url)
    const { delivered, status, error, response } = await testWebhook(client, webhookUuid)
    assert.deepEqual([delivered, status, error, response], [true, 200, null, 'ok'])
    await client.send(`/webhooks/${webhookUuid}`, { method: 'DELETE' })
  })
})

/** The result of a test of a webhook with this address. */
async function tryUrl(url: string): Promise<unknown[]> {
  const { webhookUuid } = await addWebhook(client, url)
  const { delivered, status, error } = await testWebhook(client, webhookUuid)
  await client.send(`/webhooks/${webhookUuid}`, { method: 'DELETE' })
  return [delivered, status, error]
}

describe('a name', () => {
  const denied = ['internal', 'mapped', 'loopback6', 'metadata', 'private', 'mixed', 'nat64']
  for (const name of denied)
    for (const scheme of ['https', 'http'])
      test(`${scheme}://${name}.test is accepted without a lookup, and no connection is made`, async () => {
        assert.deepEqual(await tryUrl(`${scheme}://${name}.test:${port}/`), [
          false,
          null,
          'address-not-allowed',
        ])
      })

  test('with a dot at its end is the same name', async () => {
    for (const name of denied)
      assert.deepEqual(await tryUrl(`https://${name}.test.:${port}/`), [false, null, 'address-not-allowed'])
  })

  test('localhost is a name like any other', async () => {
    for (const name of ['localhost', 'LOCALHOST'])
      assert.deepEqual(await tryUrl(`https://${name}:${port}/`), [false, null, 'address-not-allowed'])
  })

  test('with an allowed and a private address reaches the allowed one', async () => {
    for (const name of ['allowed', 'half'])
      assert.deepEqual(await tryUrl(`http://${name}.test:${port}/`), [true, 200, null])
  })

  test('is resolved once for each connection: an answer that changes leads nowhere else', async () => {
    const before = dns.queries.filter((query) => query === 'rebinding.test A').length
    assert.deepEqual(await tryUrl(`http://rebinding.test:${port}/`), [true, 200, null])
    assert.equal(dns.queries.filter((query) => query === 'rebinding.test A').length, before + 1)
    for (let n = 0; n < 5; n += 1) {
      const [, , error] = await tryUrl(`https://flipping.test:${port}/`)
      assert.ok(error === 'address-not-allowed' || error === 'tls-failed', String(error))
    }
  })

  test('that does not exist is a failed connection', async () => {
    assert.deepEqual(await tryUrl('https://unknown.test/'), [false, null, 'connection-failed'])
  })
})

async function readCertificate(): Promise<{ cert: string; key: string }> {
  const { certFile, keyFile } = await makeDevCert(installation.portico.dataDir, ['--force'])
  return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
}

describe('a receiver', () => {
  test('that redirects is not followed', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `http://127.0.0.1:${port}/`
      receiver.respond = (_request, response) => void response.writeHead(status, { location }).end()
      assert.deepEqual(await tryUrl(receiver.url), [false, status, 'status'])
    }
  })

  test('with a certificate that is not trusted is a failure of TLS', async () => {
    await using secure = await startReceiver({ host: '127.0.0.2', tls: await readCertificate() })
    assert.deepEqual(await tryUrl(secure.url), [false, null, 'tls-failed'])
    assert.equal(secure.requests.length, 0)
  })

  test('with https on a loopback address that is not listed is not reached', async () => {
    await using secure = await startReceiver({ host: '127.0.0.1', tls: await readCertificate() })
    assert.deepEqual(await tryUrl(`https://internal.test:${secure.port}/`), [
      false,
      null,
      'address-not-allowed',
    ])
    assert.equal(secure.connections, 0)
  })
})

describe('an address that is not usable', () => {
  const wrong: [url: string, message: RegExp][] = [
    ['http://partner.example.com:99999/', /URL/],
    ['ftp://partner.example.com/', /https/],
    ['file:///etc/passwd', /https/],
    ['https://user@partner.example.com/', /user/],
    ['https://user:secret@partner.example.com/', /user/],
    ['https://partner.example.com/#part', /fragment/],
    ['partner.example.com', /URL/],
    ['https://', /URL/],
    [`https://partner.example.com/${'x'.repeat(2_100)}`, /2048|2,048/],
  ]
  for (const [url, message] of wrong)
    test(`${url.slice(0, 40)} is 400`, async () => {
      const answer = await client.post('/webhooks', { url })
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.text, message)
    })
})
