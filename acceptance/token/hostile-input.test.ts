import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { assertIssuerBody } from '../support/oracles/issuer-error.ts'
import { startPortico } from '../support/servers/portico.ts'
import { basic, goodParameters, requestToken } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const good = goodParameters(portico.demoEnv.CLIENT_ID, portico.demoEnv.CLIENT_SECRET)

// Appears in a response only if the server echoes the caller's input.
const marker = 'zq7marker'
const hostile: Record<string, string> = {
  markup: `"><script>${marker}</script>`,
  'a line break': `x\r\nSet-Cookie: ${marker}=1\r\n\r\n`,
  quotes: `'"\\${marker}\\"'`,
  '10 kB': marker.repeat(1_100),
  'a template': `\${${marker}} {{${marker}}} %s %o $& ${marker}`,
  SQL: `' OR '1'='1' -- ${marker}`,
  'a zero byte': `\0${marker}`,
  'other scripts': `${marker}\u202e\ud83d\ude00\u0000\uffff`,
}

for (const [name, value] of Object.entries(hostile)) {
  describe(`${name} is never echoed in the response`, () => {
    for (const parameter of ['grant_type', 'client_id', 'client_secret', 'scope', 'client-request-id']) {
      test(`in ${parameter}`, async () => {
        const params: Record<string, string> = {
          ...good,
          grant_type: 'client_credentials',
          [parameter]: value,
        }
        // An invalid client-request-id alone is not an error, so a second defect triggers the response that could echo
        // it.
        if (parameter === 'client-request-id') params['scope'] = 'openid'
        const answer = await requestToken(portico, params)
        assert.ok(answer.status === 400 || answer.status === 401, answer.text)
        assertIssuerBody(answer)
        assertSilent(answer.text, answer.headers)
      })
    }

    test('as the name of a parameter and in the query', async () => {
      const query = { [value.slice(0, 2_000)]: value.slice(0, 2_000) }
      const answer = await requestToken(portico, { [value]: 'x' }, { query })
      assertIssuerBody(answer)
      assertSilent(answer.text, answer.headers)
    })

    test('in an HTTP Basic header', async () => {
      const authorization = basic(encodeURIComponent(value.slice(0, 2_000)), encodeURIComponent(marker))
      const answer = await requestToken(
        portico,
        { grant_type: 'client_credentials' },
        { headers: { authorization } },
      )
      assert.ok(answer.status === 400 || answer.status === 401, answer.text)
      assertIssuerBody(answer)
      assertSilent(answer.text, answer.headers)
    })
  })
}

test('for any parameters, the response is a 4xx with an error body of the issuer', async () => {
  const value = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(good)))
  const params = fc.record(
    {
      grant_type: fc.oneof(fc.constant('client_credentials'), value),
      client_id: value,
      client_secret: value,
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(params, async (drawn) => {
      const answer = await requestToken(portico, { ...drawn, scope: 'openid' })
      assert.ok(answer.status === 400 || answer.status === 401, answer.text)
      assertIssuerBody(answer)
    }),
    { numRuns: 200 },
  )
})

test('for any bytes in the body, the response is a 4xx with an error body of the issuer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
      const answer = await requestToken(portico, undefined, { rawBody: Uint8Array.from(bytes) })
      assert.ok(answer.status === 400 || answer.status === 401, answer.text)
      assertIssuerBody(answer)
    }),
    { numRuns: 200 },
  )
})

function assertSilent(text: string, headers: Headers): void {
  assert.ok(!text.includes(marker), text)
  assert.equal(headers.get('set-cookie'), null)
  for (const [name, value] of headers) assert.ok(!value.includes(marker), `${name}: ${value}`)
}
