import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createAddressFilter, parseNetwork } from '../../../src/kernel/address-filter.ts'
import { createOutgoingHttp, type OutgoingHttp } from '../../../src/kernel/outgoing-http.ts'

const filterOf = (...networks: string[]) =>
  createAddressFilter(networks.flatMap((text) => parseNetwork(text) ?? []))

const message = { headers: { 'content-type': 'application/json' }, body: '{"é":1}', timeoutMs: 10_000 }

let server: Server
let port: number
let connections = 0
const bodies: string[] = []

before(async () => {
  server = createServer((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      bodies.push(body)
      if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end()
      else if (request.url === '/long') response.end('x'.repeat(1_000_000))
      else if (request.url === '/headers') response.writeHead(200, { long: 'x'.repeat(20_000) }).end()
      else if (request.url === '/slow-body') response.write('started')
      else if (request.url === '/busy') response.writeHead(503, { 'retry-after': '7' }).end('busy')
      else if (request.url !== '/silent') response.end('fine')
    })
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

after(() => {
  server.closeAllConnections()
  server.close()
})

describe('a request to an address that a third party chose', () => {
  let names: Record<string, string[][]>
  const resolve = async (hostname: string): Promise<string[]> => {
    const answers = names[hostname]
    const answer = answers && answers.length > 1 ? answers.shift() : answers?.[0]
    if (!answer) throw new Error('not found')
    return answer
  }
  let outgoing: OutgoingHttp | undefined
  const post = (filter: string[], url: string, timeoutMs = message.timeoutMs) => {
    outgoing?.close()
    outgoing = createOutgoingHttp(filterOf(...filter), resolve)
    return outgoing.post(new URL(url), { ...message, timeoutMs })
  }
  after(() => outgoing?.close())

  test('reaches an allowed address and returns the start of the response', async () => {
    const result = await post(['127.0.0.1/32'], `http://127.0.0.1:${port}/`)
    assert.deepEqual(result, { status: 200, retryAfter: undefined, response: 'fine' })
    assert.equal(bodies.at(-1), message.body)
    assert.deepEqual(await post(['127.0.0.1/32'], `http://127.0.0.1:${port}/busy`), {
      status: 503,
      retryAfter: '7',
      response: 'busy',
    })
  })

  test('does not connect to an address that is not allowed', async () => {
    names = { internal: [['127.0.0.1']], mixed: [['127.0.0.1', '10.0.0.1']] }
    const before = connections
    for (const url of [
      'http://127.0.0.1',
      'https://127.0.0.1',
      'https://internal',
      'http://mixed',
      'https://mixed',
    ])
      assert.deepEqual(await post(['127.0.0.9/32'], `${url}:${port}/`), {
        status: undefined,
        error: 'address-not-allowed',
      })
    assert.equal(connections, before)
  })

  test('of plain http needs a listed address, even if the address is public', async () => {
    assert.deepEqual(await post(['127.0.0.1/32'], 'http://8.8.8.8/'), {
      status: undefined,
      error: 'address-not-allowed',
    })
  })

  test('resolves a name once and connects to the address that was checked', async () => {
    names = { rebinding: [['127.0.0.2', '127.0.0.1'], ['127.0.0.1']] }
    const before = connections
    // Only 127.0.0.2 is allowed, where nothing listens on this port.
    const result = await post(['127.0.0.2/32'], `http://rebinding:${port}/`)
    assert.deepEqual(result, { status: undefined, error: 'connection-failed' })
    assert.equal(names['rebinding']?.length, 1)
    assert.equal(connections, before)
  })

  test('tries every allowed address of a name', async () => {
    names = { both: [['127.0.0.3', '127.0.0.1']] }
    const result = await post(['127.0.0.0/8'], `http://both:${port}/`)
    assert.equal(result.status, 200)
  })

  test('does not follow a redirect', async () => {
    const before = bodies.length
    const result = await post(['127.0.0.1/32'], `http://127.0.0.1:${port}/redirect`)
    assert.equal(result.status, 302)
    assert.equal(bodies.length, before + 1)
  })

  test('reads a bounded part of the response', async () => {
    const long = await post(['127.0.0.1/32'], `http://127.0.0.1:${port}/long`)
    assert.deepEqual(long, { status: 200, retryAfter: undefined, response: 'x'.repeat(1_024) })
    assert.deepEqual(await post(['127.0.0.1/32'], `http://127.0.0.1:${port}/headers`), {
      status: undefined,
      error: 'too-large',
    })
  })

  test('ends after the timeout; a status that has arrived counts', async () => {
    assert.deepEqual(await post(['127.0.0.1/32'], `http://127.0.0.1:${port}/silent`, 200), {
      status: undefined,
      error: 'timeout',
    })
    const started = await post(['127.0.0.1/32'], `http://127.0.0.1:${port}/slow-body`, 3_000)
    assert.deepEqual(started, { status: 200, retryAfter: undefined, response: 'started' })
  })

  test('fails if the name is unknown, nothing listens, or the protocol is switched', async () => {
    names = {}
    const failed = { status: undefined, error: 'connection-failed' }
    assert.deepEqual(await post([], 'https://unknown/'), failed)
    assert.deepEqual(await post(['127.0.0.1/32'], 'http://127.0.0.1:1/'), failed)
    const upgrading = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
      )
    })
    await new Promise<void>((resolve) => upgrading.listen(0, '127.0.0.1', resolve))
    const { port: otherPort } = upgrading.address() as AddressInfo
    assert.deepEqual(await post(['127.0.0.1/32'], `http://127.0.0.1:${otherPort}/`), failed)
    upgrading.close()
  })

  test('reports a failure of TLS as such', async () => {
    assert.deepEqual(await post(['127.0.0.1/32'], `https://127.0.0.1:${port}/`), {
      status: undefined,
      error: 'tls-failed',
    })
  })

  test('is sent again if an idle connection was closed at the same moment', async () => {
    const closing = createTcpServer((socket) => {
      let requests = 0
      socket.on('error', () => {})
      socket.on('data', () => {
        requests += 1
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        else socket.resetAndDestroy()
      })
    })
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
    const { port: otherPort } = closing.address() as AddressInfo
    const reusing = createOutgoingHttp(filterOf('127.0.0.1'))
    const url = new URL(`http://127.0.0.1:${otherPort}/`)
    for (let n = 0; n < 4; n += 1) assert.equal((await reusing.post(url, message)).status, 200)
    reusing.close()
    closing.close()
  })
})
