import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asUuid } from '../support/json.ts'
import { type RawAnswer, sendBytes, sendRequest } from '../support/clients/raw-http.ts'
import { api } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const host = `Host: localhost:${portico.port}`

// Violations of HTTP itself; server frameworks tend to respond to them before their own hooks run.
const malformed: [name: string, bytes: string][] = [
  ['a line that is not a request', 'GARBAGE\r\n\r\n'],
  ['an unknown method', `NONSENSE / HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`],
  ['a header line without a colon', `GET /live HTTP/1.1\r\n${host}\r\nbroken\r\n\r\n`],
  ['a header name with a space', `GET /live HTTP/1.1\r\n${host}\r\nX y: z\r\n\r\n`],
  ['a length that is not a number', `POST /live HTTP/1.1\r\n${host}\r\nContent-Length: x\r\n\r\n`],
  [
    'two different lengths',
    `POST /live HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  ],
  [
    'a length and chunks together',
    `POST /live HTTP/1.1\r\n${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no Host header', 'GET /live HTTP/1.1\r\nConnection: close\r\n\r\n'],
]

describe('400', () => {
  for (const [name, bytes] of malformed) {
    test(`${name} is answered 400 with an X-Request-Id`, async () => {
      const answer = await sendBytes(portico, bytes)
      assert.equal(answer.status, 400, answer.body)
      assertTraced(answer)
    })
  }

  test('a request is rejected before its body has arrived, at an unknown path too', async () => {
    const twice = 'Authorization: Bearer a\r\nAuthorization: Bearer b'
    const length = 'Content-Type: application/json\r\nContent-Length: 60000'
    const answer = await sendBytes(
      portico,
      `POST /nothing HTTP/1.1\r\n${host}\r\n${twice}\r\n${length}\r\n\r\n`,
    )
    assert.equal(answer.status, 400, answer.body)
    assertTraced(answer)
  })

  test('a path that cannot be decoded is a 4xx, never a 5xx', async () => {
    for (const path of ['/%', '/%zz', '/v2/%E0%A4%A', '/errors/%ff', '/operator/partners/%c0%ae']) {
      const answer = await sendRequest(portico, { path })
      assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`)
      assertTraced(answer)
    }
  })
})

describe('414', () => {
  test('a URL above 8 KiB is answered 414 with an X-Request-Id', async () => {
    for (const path of [`/live?x=${'a'.repeat(9_000)}`, `/${'a'.repeat(9_000)}`]) {
      const answer = await sendRequest(portico, { path })
      assert.equal(answer.status, 414, answer.body)
      assertTraced(answer)
    }
  })

  test('a URL just below 8 KiB is not', async () => {
    const answer = await sendRequest(portico, { path: `/${'a'.repeat(8_000)}` })
    assert.equal(answer.status, 404, answer.body)
  })
})

describe('431', () => {
  test('headers above 16 KiB are answered 431 with an X-Request-Id', async () => {
    for (const headers of [
      [['X-Long', 'a'.repeat(20_000)]],
      Array.from({ length: 200 }, (_, index) => [`X-Many-${index}`, 'a'.repeat(100)]),
    ] as [string, string][][]) {
      const answer = await sendRequest(portico, { path: '/live', headers })
      assert.equal(answer.status, 431, answer.body)
      assertTraced(answer)
    }
  })

  test('headers of 12 KiB are not', async () => {
    const answer = await sendRequest(portico, { path: '/live', headers: [['X-Long', 'a'.repeat(12_000)]] })
    assert.equal(answer.status, 200, answer.body)
  })
})

describe('every response has a unique X-Request-Id', () => {
  test('on the public pages, the API and the issuer alike', async () => {
    const paths = ['/', '/live', '/ready', '/nothing', '/v2/sites', '/v2/nothing', '/operator/audit']
    const issuer = [
      '/auth/oauth2/v2.0/token',
      '/auth/discovery/v2.0/keys',
      '/auth/nothing',
      '/errors/not-found',
    ]
    const ids = new Set<string>()
    for (const path of [...paths, ...issuer]) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await api(portico, path, { method })
        ids.add(asUuid(answer.headers.get('x-request-id')))
        assert.ok(answer.status < 500, `${method} ${path}: ${answer.status}`)
      }
    }
    assert.equal(ids.size, (paths.length + issuer.length) * 3)
  })

  test('also for an unknown expectation', async () => {
    const answer = await sendRequest(portico, { path: '/live', headers: [['Expect', '200-maybe']] })
    assert.ok(answer.status < 500)
    assertTraced(answer)
  })

  test('which is never taken from the caller', async () => {
    for (const id of ['zq7marker', '"><script>', 'a'.repeat(500)]) {
      const answer = await sendRequest(portico, { path: '/live', headers: [['X-Request-Id', id]] })
      assertTraced(answer)
    }
  })
})

test('the server is still running afterwards', async () => {
  assert.equal((await api(portico, '/live')).status, 200)
})

function assertTraced(answer: RawAnswer): void {
  asUuid(answer.header('x-request-id'))
  // Internal details belong in the log: the response has no stack and no file name.
  assert.doesNotMatch(answer.body, /node_modules|\.ts:|\.js:|at \w+ \(/)
}
