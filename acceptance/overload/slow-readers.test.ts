import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asObject } from '../support/json.ts'
import { eventually } from '../support/eventually.ts'
import { makeSiteWithRecords } from '../support/overload/many-records.ts'
import { openConnection, type RawConnection, toBytes } from '../support/overload/raw-connection.ts'
import { scale } from '../support/overload/scale.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { api, demoToken, operatorToken } from '../support/clients/requests.ts'

// High rate limits, so that only the bounds on unread bytes reject requests.
const portico = await startPortico({
  env: { RATE_LIMIT_PER_MINUTE: '100000', RATE_LIMIT_PER_5_MINUTES: '100000' },
})
const quick = await startPortico({
  env: { NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/quick-checks.ts')}` },
})
after(() => Promise.all([portico.stop(), quick.stop()]))

const RESPONSES = 10

/** A connection that is still open after this time is assumed to stay open. */
const NEVER_MS = 600_000

/** Requests whose responses exceed what the kernel buffers for an unread connection: about 30 MB. */
async function requestLargeResponses(server: Portico): Promise<RawConnection> {
  const { text } = await api(server, '/reference')
  const path = /src="(\/reference\/script\/[^"]+)"/.exec(text)?.[1] ?? ''
  const connection = await openConnection(server)
  connection.socket.write(toBytes({ path }).repeat(RESPONSES))
  return connection
}

/**
 * Writes empty lines until the server has closed the connection: a client that reads nothing cannot detect it
 * otherwise.
 */
async function untilClosed({ socket, ended }: RawConnection): Promise<void> {
  const poking = setInterval(() => socket.write('\r\n'), 50)
  await ended
  clearInterval(poking)
}

describe('a connection that has responses to read', { timeout: NEVER_MS }, () => {
  test('is closed when it reads none of them for 30 seconds', async () => {
    const connection = await requestLargeResponses(quick)
    const openedAt = performance.now()
    await untilClosed(connection)
    assert.ok(performance.now() - openedAt > 1_000)
  })

  test('stays when it reads them slowly', async () => {
    const connection = await requestLargeResponses(quick)
    const slow = setInterval(() => {
      connection.socket.pause()
      setTimeout(() => connection.socket.resume(), 15)
    }, 20)
    const responses = await connection.read(RESPONSES)
    clearInterval(slow)
    assert.ok(responses.every(({ status }) => status === 200))
    connection.socket.destroy()
  })

  if (scale(0, 1) === 1)
    test('is closed by a server with real intervals, too', async () => {
      const connection = await requestLargeResponses(portico)
      const openedAt = performance.now()
      await untilClosed(connection)
      assert.ok(performance.now() - openedAt > 29_000)
    })
})

describe('a request whose body does not arrive', { timeout: NEVER_MS }, () => {
  const upload = async (token: string, body: string): Promise<RawConnection> => {
    const connection = await openConnection(quick)
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/x-ndjson',
      'Transfer-Encoding': 'chunked',
    }
    connection.socket.write(toBytes({ method: 'POST', path: '/operator/readings', headers }))
    connection.socket.write(`${body.length.toString(16)}\r\n${body}\r\n`)
    return connection
  }

  test('is closed after 30 seconds without a byte', async () => {
    const connection = await upload(await operatorToken(quick), '\n')
    connection.socket.resume()
    await connection.ended
  })

  test('is closed when single bytes drip in', async () => {
    const connection = await upload(await operatorToken(quick), '\n')
    const drip = setInterval(() => connection.socket.write('1\r\n\n\r\n'), 100)
    connection.socket.resume()
    await connection.ended
    clearInterval(drip)
  })

  test('is answered with 408 after a minute if the caller is not known yet, even if bytes keep arriving', async () => {
    const connection = await openConnection(quick)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '16000' }
    connection.socket.write(toBytes({ method: 'POST', path: '/auth/oauth2/v2.0/token', headers }))
    const sending = setInterval(() => connection.socket.write('a'.repeat(100)), 100)
    const [response] = await connection.read(1)
    assert.equal(response?.status, 408)
    connection.socket.resume()
    await connection.ended
    clearInterval(sending)
  })

  test('is processed if it arrives slowly, even over a longer time', async () => {
    const connection = await upload(await operatorToken(quick), '\n')
    for (let sent = 0; sent < 20; sent += 1) {
      await sleep(200)
      connection.socket.write(`1000\r\n${'\n'.repeat(0x1000)}\r\n`)
    }
    connection.socket.write('0\r\n\r\n')
    const [response] = await connection.read(1)
    assert.equal(response?.status, 200)
    connection.socket.destroy()
  })

  test('is answered and closed immediately if the caller is not authorised', async () => {
    for (const [token, status] of [
      ['wrong', 401],
      [await demoToken(quick), 403],
    ] as const) {
      const connection = await upload(token, '\n')
      const [response] = await connection.read(1)
      assert.equal(response?.status, status)
      await connection.ended
    }
  })

  test('is answered before it is closed if the body is too large', async () => {
    const connection = await openConnection(quick)
    const headers = { Authorization: `Bearer ${await operatorToken(quick)}`, 'Content-Length': '50000000' }
    connection.socket.write(
      toBytes({
        method: 'POST',
        path: '/operator/partners',
        headers: { ...headers, 'Content-Type': 'application/json' },
      }),
    )
    const sending = setInterval(() => connection.socket.write(' '.repeat(100_000)), 5)
    const [response] = await connection.read(1)
    assert.equal(response?.status, 413)
    await connection.ended
    clearInterval(sending)
  })
})

describe('a request that announces the type of a body but has none', { timeout: NEVER_MS }, () => {
  for (const [path, type, status] of [
    ['/auth/oauth2/v2.0/token', 'application/x-www-form-urlencoded', 400],
    ['/operator/partners', 'application/json', 400],
    ['/operator/readings', 'application/x-ndjson', 200],
  ] as const)
    test(`is answered with ${status}: ${path}`, async () => {
      const connection = await openConnection(quick)
      const headers = { Authorization: `Bearer ${await operatorToken(quick)}`, 'Content-Type': type }
      connection.socket.write(toBytes({ method: 'POST', path, headers }))
      const [response] = await connection.read(1)
      assert.equal(response?.status, status)
      connection.socket.destroy()
    })
})

describe('an idle connection', { timeout: NEVER_MS }, () => {
  /** The time after which the server of these tests closes it. */
  const IDLE_MS = 65_000 / 20

  test('is closed after the time that the response has announced', async () => {
    const connection = await openConnection(quick)
    connection.socket.write(toBytes({ path: '/live' }))
    const [response] = await connection.read(1)
    const answeredAt = performance.now()
    assert.equal(response?.headers['keep-alive'], 'timeout=65')
    await connection.ended
    assert.ok(performance.now() - answeredAt > 0.9 * IDLE_MS)
  })

  test('announces nothing if it is closed with the response', async () => {
    const connection = await openConnection(quick)
    connection.socket.write(toBytes({ path: '/live', headers: { Connection: 'close' } }))
    const [response] = await connection.read(1)
    assert.equal(response?.headers['keep-alive'], undefined)
    assert.equal(response?.headers['connection'], 'close')
    await connection.ended
  })

  test('is not one whose request is still being answered', async () => {
    const connection = await openConnection(quick)
    const headers = {
      Authorization: `Bearer ${await demoToken(quick)}`,
      SiteId: quick.demoEnv.SITE_ID,
      Prefer: `wait=${Math.ceil((2 * IDLE_MS) / 1000)}`,
    }
    const { json } = await api(quick, '/v2/events', { headers })
    const path = `/v2/events?types=command.updated&after=${String(asObject(json['pagination'])['nextAfter'])}`
    const askedAt = performance.now()
    connection.socket.write(toBytes({ path, headers }))
    const [response] = await connection.read(1)
    assert.equal(response?.status, 200)
    assert.ok(performance.now() - askedAt > 1.5 * IDLE_MS)
    connection.socket.destroy()
  })
})

test('a partner whose client aborts long lists is not denied further responses', async () => {
  const large = await makeSiteWithRecords(portico, { devices: 10_000 })
  const headers = { Authorization: `Bearer ${large.token}`, SiteId: large.siteId }
  const request = async (): Promise<RawConnection> => {
    const connection = await openConnection(portico)
    connection.socket.write(toBytes({ path: '/v2/devices', headers }))
    return connection
  }
  const measureFirstByte = async (): Promise<number> => {
    const startedAt = performance.now()
    const { socket } = await request()
    socket.resume()
    await once(socket, 'data')
    socket.destroy()
    return performance.now() - startedAt
  }
  // The first list takes longer, because it loads the site.
  await measureFirstByte()
  const firstByteMs = await measureFirstByte()
  // Each list has 4 MB. The connection is lost at every point before and after the first byte.
  for (let sent = 0; sent < 60; sent += 1) {
    const { socket } = await request()
    await sleep((firstByteMs * (sent % 20)) / 15)
    socket.destroy()
  }
  await eventually(async () => assert.equal((await large.send('/sites')).status, 200))
})

describe('a partner that requests long lists and does not read them', () => {
  test('is denied further responses until it reads them or disconnects, and memory stays bounded', async () => {
    const large = await makeSiteWithRecords(portico, { devices: 10_000 })
    const headers = { Authorization: `Bearer ${large.token}`, SiteId: large.siteId }
    const watch = await watchServer(portico, {
      path: '/v2/spaces',
      headers: { Authorization: `Bearer ${await demoToken(portico)}`, SiteId: portico.demoEnv.SITE_ID },
    })
    const connections: RawConnection[] = []
    // Twice as many as are needed: on a busy machine, the first ones are closed before the last ones are computed.
    for (let opened = 0; opened < 32; opened += 1) {
      const connection = await openConnection(portico)
      connection.socket.write(toBytes({ path: '/v2/devices', headers }))
      connections.push(connection)
      await sleep(250)
    }
    await eventually(async () => {
      const { status, headers: answered, json } = await large.send('/sites')
      assert.equal(status, 429)
      assert.match(String(json['detail']), /bytes of unread responses/)
      assert.ok(Number(answered.get('retry-after')) > 0)
    })
    for (const { socket } of connections) socket.destroy()
    await eventually(async () => assert.equal((await large.send('/sites')).status, 200))
    const report = await watch.stop()
    assert.ok(report.growthMb < 150, `the server grew by ${report.growthMb} MB`)
    assert.ok(report.maxMs < 5_000, `a request of another client took ${report.maxMs} ms`)
  })

  test('is denied further responses if they are images, too', async () => {
    const client = await makeSiteWithRecords(portico, { devices: 1 })
    const logo = new Uint8Array(2 * 1024 * 1024)
    logo.set(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
    const stored = await fetch(`${portico.origin}/operator/tenant/logo`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await operatorToken(portico)}`, 'content-type': 'image/png' },
      body: logo,
    })
    assert.equal(stored.status, 204)
    const headers = { Authorization: `Bearer ${client.token}`, SiteId: client.siteId }
    const connections: RawConnection[] = []
    for (let opened = 0; opened < 40; opened += 1) {
      const connection = await openConnection(portico)
      // The kernel buffers the first ones; the server holds one that is left.
      connection.socket.write(toBytes({ path: '/v1/tenant/logo', headers }).repeat(20))
      connections.push(connection)
    }
    await eventually(async () => {
      const { status, json } = await client.send('/sites')
      assert.equal(status, 429)
      assert.match(String(json['detail']), /bytes of unread responses/)
    })
    for (const { socket } of connections) socket.destroy()
    await eventually(async () => assert.equal((await client.send('/sites')).status, 200))
  })
})
