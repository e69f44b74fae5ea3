import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { scale } from '../support/overload/scale.ts'
import { type OverloadReport, watchServer } from '../support/overload/watch-server.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { sendBytes, sendRequest } from '../support/clients/raw-http.ts'
import { type Answer, api, send } from '../support/clients/requests.ts'

const installation = await startInstallation()
after(() => installation.stop())
const { portico, operator } = installation
const house = makeSmallSite()
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])

const KIB = 1024
const MIB = 1024 * KIB
/** A request that is parsed in linear time takes milliseconds; each of those below took seconds or minutes, or crashed the process. */
const MAX_STALL_MS = 700

async function watched(attack: () => Promise<unknown>): Promise<OverloadReport> {
  const headers = { authorization: `Bearer ${client.token}`, SiteId: client.siteId }
  const watch = await watchServer(portico, { path: '/v2/spaces', headers })
  try {
    await attack()
  } catch (error) {
    await watch.stop()
    throw error
  }
  return watch.stop()
}

async function assertNoStall(attack: () => Promise<unknown>, maxMs = MAX_STALL_MS): Promise<void> {
  const { maxMs: longest } = await watched(attack)
  assert.ok(longest < maxMs, `a request of another client took ${Math.round(longest)} ms`)
}

async function repeat(times: number, request: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < times; index += 1) await request()
}

const putImage = (text: string): Promise<Answer> =>
  send(`${portico.origin}/operator/tenant/logo`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'image/svg+xml' },
    body: text,
  })

describe('an image is recognised in linear time', () => {
  const refused: Record<string, string> = {
    'repeated comments': '<!---->'.repeat(scale(20_000, 290_000)),
    'comments that are not closed': '<!-- '.repeat(scale(100_000, 400_000)),
    'repeated doctypes': '<!DOCTYPE svg>'.repeat(scale(20_000, 140_000)),
    'an unclosed doctype of spaces': `<!DOCTYPE${' '.repeat(scale(300_000, 2_000_000))}`,
    'spaces alone': ' '.repeat(scale(300_000, 2_000_000)),
    'an unclosed declaration': `<?xml${'?'.repeat(scale(300_000, 2_000_000))}`,
  }
  for (const [what, text] of Object.entries(refused)) {
    test(what, () => assertNoStall(async () => assertProblem(portico, await putImage(text), 415)))
  }

  test('and comments, doctypes and a declaration before the root element are accepted', async () => {
    const prologue = `\uFEFF <?xml version="1.0"?>\n<!-- a -->${'<!---->\n'.repeat(50)}<!DOCTYPE svg PUBLIC "x">\n<!-- b -->`
    assert.equal((await putImage(`${prologue}<svg/>`)).status, 204)
  })
})

describe('an upload of readings is parsed in linear time', () => {
  const post = (type: string, body: string): Promise<Answer> =>
    api(portico, '/operator/readings', {
      method: 'POST',
      token: operator,
      headers: { 'content-type': type },
      body,
    })

  test('a cell of 60,000 digits that is not a number', () =>
    assertNoStall(async () => {
      const rows = Array.from(
        { length: scale(3, 50) },
        () => `${house.meter},electricity,2026-01-01T00:00:00Z,${'1'.repeat(60_000)}x`,
      )
      const answer = await post('text/csv', `deviceUuid,metricType,timestamp,value\n${rows.join('\n')}\n`)
      assert.equal(answer.json['refusedCount'], rows.length)
    }))

  test('a line of nothing but commas or quotes', () =>
    assertNoStall(async () => {
      for (const cell of [',', '"', '", ']) {
        const line = cell.repeat(Math.floor((60 * KIB) / cell.length))
        const lines = Array.from({ length: scale(5, 100) }, () => line).join('\n')
        const answer = await post('text/csv', `deviceUuid,metricType,timestamp,value\n${lines}\n`)
        assert.equal(answer.json['refusedCount'], scale(5, 100))
      }
    }))

  test('one line without an end', () =>
    assertNoStall(async () => {
      for (const type of ['application/x-ndjson', 'text/csv']) {
        const body = `deviceUuid,metricType,timestamp,value\n${'1'.repeat(scale(8, 64) * MIB)}`
        assert.ok(asArray((await post(type, body)).json['refused']).length > 0)
      }
    }))

  test('a line that arrives in chunks of one byte takes linear time', async () => {
    // 60,000 chunks: the line must not be searched again after each of them.
    const chunks = '1\r\n1\r\n'.repeat(60_000)
    const head = [
      'POST /operator/readings HTTP/1.1',
      `Host: localhost:${portico.port}`,
      `Authorization: Bearer ${operator}`,
      'Content-Type: application/x-ndjson',
      'Transfer-Encoding: chunked',
      'Connection: close',
    ].join('\r\n')
    const count = scale(1, 20)
    await assertNoStall(() =>
      repeat(count, async () => {
        const answer = await sendBytes(portico, `${head}\r\n\r\n${chunks}0\r\n\r\n`)
        assert.equal(answer.status, 200, answer.body)
      }),
    )
  })

  test('deeply nested lines are rejected one by one', () =>
    assertNoStall(async () => {
      const deep = '['.repeat(30_000) + ']'.repeat(30_000)
      const bodies: [string, string][] = [
        ['application/x-ndjson', `${deep}\n{"deviceUuid":${deep}}\n`],
        ['application/json', `[${deep},{"deviceUuid":${deep}}]`],
      ]
      for (const [type, body] of bodies) assert.equal((await post(type, body)).json['refusedCount'], 2)
      const open = await post('application/json', '['.repeat(scale(4, 32) * MIB))
      assert.equal(open.status, 200, open.text)
    }))
})

describe('an inventory', () => {
  const put = (body: string): Promise<Answer> =>
    api(portico, '/operator/inventory', { method: 'PUT', token: operator, body })
  const fill = (item: string, bytes: number): string =>
    `{"site":{},"buildings":[],"spaces":[],"devices":[${item}${`,${item}`.repeat(Math.floor(bytes / (item.length + 1)))}]}`

  test('that is deeply nested is 400, whatever its size', () =>
    assertNoStall(async () => {
      const half = scale(4, 15) * MIB
      for (const body of [
        '['.repeat(half),
        '['.repeat(half) + ']'.repeat(half),
        '{"a":'.repeat(half / 5),
        `{"site":${'['.repeat(half)}${']'.repeat(half)}}`,
      ])
        assertProblem(portico, await put(body), 400)
    }))

  test('with too many values is 413, and takes no more memory than its text', async () => {
    const { growthMb } = await watched(async () => {
      for (const item of ['{}', '[]', '0', '{"a":0}'])
        assertProblem(portico, await put(fill(item, 30 * MIB)), 413)
    })
    // The text is in memory as bytes and as a string; parsed, it would take more than a gigabyte.
    assert.ok(growthMb < 600, `grew by ${growthMb} MB`)
  })

  test('with an error in each of 100,000 records reports the first', () =>
    assertNoStall(async () => {
      for (const item of ['{}', '0', '{"a":0}']) {
        const { errors } = assertProblem(portico, await put(fill(item, 100_000 * (item.length + 1))), 400)
        assert.ok(asArray(errors).length > 0 && asArray(errors).length <= 100)
      }
    }, 2_000))

  test('of usual size with several errors reports all of them', async () => {
    const answer = await put(fill('{}', 30))
    const fields = asArray(assertProblem(portico, answer, 400)['errors']).map((error) =>
      asString(asObject(error)['field']),
    )
    for (const field of ['site.siteUuid', 'devices.0.deviceUuid', 'devices.9.spaceUuid'])
      assert.ok(fields.includes(field), field)
  })

  test('whose unknown field has a name of a megabyte is rejected with a short response', async () => {
    const answer = await put(`{"${'x'.repeat(MIB)}":1}`)
    assertProblem(portico, answer, 400)
    assert.ok(answer.text.length < 10_000)
  })
})

describe('a command of 64 KiB', () => {
  const weekly = (fields: string): string =>
    `{"type":"weekly","default":{"temperature":18},"periods":${fields}}`
  const schedule = (body: string): Promise<Answer> => client.post(`/devices/${house.trv}/schedule`, body)
  const numbers = Array.from({ length: 10_000 }, (_, index) => String(index)).join()
  const deep = '['.repeat(14_000) + ']'.repeat(14_000)
  const bodies: Record<string, string> = {
    'periods that are empty': weekly(`[${'{},'.repeat(20_000)}{}]`),
    'as many different days as fit': weekly(
      `[{"days":[${numbers}],"start":"00:00","end":"01:00","target":{"power":"on"}}]`,
    ),
    'deeply nested days': weekly(`[{"days":[${deep},${deep}],"start":"00:00","end":"01:00"}]`),
    'unknown fields': `{"type":"resume",${Array.from({ length: 6_000 }, (_, index) => `"f${index}":0`).join()}}`,
    'nothing but nesting': deep,
    'keys of the prototype':
      '{"type":"resume","__proto__":{"failIfOffline":true},"constructor":{"prototype":{}}}',
  }
  for (const [what, body] of Object.entries(bodies)) {
    test(`with ${what} is 400 and does not delay other requests`, () =>
      assertNoStall(() =>
        repeat(scale(3, 30), async () => assertProblem(portico, await schedule(body), 400)),
      ))
  }
})

describe('addresses and headers', () => {
  const get = (path: string, headers: [string, string][] = []): Promise<{ status: number }> =>
    sendRequest(portico, {
      path,
      headers: [['Authorization', `Bearer ${client.token}`], ['SiteId', client.siteId], ...headers],
    })
  const long = (part: string, bytes: number): string => part.repeat(Math.floor(bytes / part.length))

  const queries: Record<string, string> = {
    'one parameter a thousand times': long('limit=1&', 7 * KIB),
    'nothing but separators': long('&', 7 * KIB),
    'a thousand parameters': Array.from({ length: 1_000 }, (_, index) => `p${index}`).join('&'),
    'keys of the prototype': '__proto__=1&constructor=1&__proto__[x]=1',
    'a cursor of eight kilobytes': `cursor=${long('A', 7 * KIB)}`,
    'nothing but escapes': `cursor=${long('%25', 7 * KIB)}`,
  }
  for (const [what, query] of Object.entries(queries)) {
    test(`a query of ${what}`, () =>
      assertNoStall(() =>
        repeat(scale(20, 500), async () => {
          const { status } = await get(`/v2/spaces?${query}`)
          assert.ok(status === 400 || (status === 200 && !/[^&]/.test(query)), String(status))
        }),
      ))
  }

  const values: [name: string, part: string][] = [
    ['Accept', ','],
    ['Accept', 'text/csv;q=0.1;q=1,'],
    ['Accept-Encoding', 'gzip;q=0,'],
    ['Accept-Encoding', ';'],
    ['If-None-Match', ','],
    ['If-None-Match', 'W/"x",'],
    ['X-Forwarded-For', '127.0.0.1,'],
    ['Content-Type', ';'],
  ]
  for (const [name, part] of values) {
    test(`${name} made of ${part}`, () =>
      assertNoStall(() =>
        repeat(scale(20, 500), async () => {
          const { status } = await get('/v2/spaces', [[name, long(part, 13 * KIB)]])
          assert.ok(status < 500, String(status))
        }),
      ))
  }

  for (const value of ['Basic ', 'Basic A', 'Bearer ', 'Bearer a']) {
    test(`Authorization of ${value} and 13 KiB of spaces or letters`, () =>
      assertNoStall(() =>
        repeat(scale(10, 200), async () => {
          for (const part of [' ', 'A', '=', 'A '])
            for (const path of ['/v2/spaces', '/auth/oauth2/v2.0/token']) {
              const headers: [string, string][] = [['Authorization', `${value}${long(part, 13 * KIB)}!`]]
              const method = path.startsWith('/auth') ? 'POST' : 'GET'
              const { status } = await sendRequest(portico, { method, path, headers })
              assert.ok(status >= 400 && status < 500, String(status))
            }
        }),
      ))
  }

  test('a form of 16 KiB of separators, of repeated or of unknown parameters', () =>
    assertNoStall(() =>
      repeat(scale(10, 200), async () => {
        for (const part of ['&', '=&', 'a=1&', '__proto__=1&', '%41=1&', '+&']) {
          const { status } = await sendRequest(portico, {
            method: 'POST',
            path: '/auth/oauth2/v2.0/token',
            headers: [['Content-Type', 'application/x-www-form-urlencoded']],
            body: long(part, 16 * KIB),
          })
          assert.equal(status, 400)
        }
      }),
    ))
})
