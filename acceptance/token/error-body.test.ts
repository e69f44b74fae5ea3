import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { assertIssuerBody } from '../support/oracles/issuer-error.ts'
import { asInstant } from '../support/json.ts'
import { assertNoCors } from '../support/oracles/problem.ts'
import { type Answer, goodParameters, requestToken, without } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const good = goodParameters(portico.demoEnv.CLIENT_ID, portico.demoEnv.CLIENT_SECRET)

const cases: Record<string, () => Promise<Answer>> = {
  70003: () => requestToken(portico, { ...good, grant_type: 'password' }),
  700016: () => requestToken(portico, { ...good, client_id: randomUUID() }),
  7000215: () => requestToken(portico, { ...good, client_secret: 'wrong' }),
  7000216: () => requestToken(portico, without(good, 'client_secret')),
  900144: () => requestToken(portico, {}),
  900561: () => requestToken(portico, undefined, { method: 'GET' }),
  9002313: () => requestToken(portico, undefined, { rawBody: 'x=%' }),
  1002012: () => requestToken(portico, { ...good, scope: 'openid' }),
  70011: () => requestToken(portico, { ...good, scope: 'a b' }),
  500011: () => requestToken(portico, { ...good, scope: `api://${randomUUID()}/.default` }),
}

for (const [code, ask] of Object.entries(cases)) {
  describe(code, () => {
    test('the body has the fields and types of section 7.1 of the specification', async () => {
      const body = assertIssuerBody(await ask())
      assert.deepEqual(body['error_codes'], [Number(code)])
      assert.equal('error_uri' in body, code !== '70003')
    })

    test('the description is one line that begins with the code', async () => {
      const { json } = await ask()
      assert.match(String(json['error_description']), new RegExp(`^AADSTS${code}: \\S`))
    })

    test('the timestamp is the time of this error, not a fixed one', async () => {
      const before = Date.now()
      const at = asInstant((await ask()).json['timestamp'])
      // The timestamp may be truncated to whole seconds.
      assert.ok(at >= before - 1_000 && at <= Date.now(), new Date(at).toISOString())
    })

    test('the response has no CORS headers and must not be cached', async () => {
      const { headers } = await ask()
      assertNoCors(headers)
      assert.equal(headers.get('cache-control'), 'no-store')
    })
  })
}

test('every error has a unique trace_id', async () => {
  const ask = cases['900144'] ?? assert.fail()
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await ask()).json['trace_id']))
  assert.equal(new Set(ids).size, ids.length)
})
