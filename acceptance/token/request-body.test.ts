import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertIssuerBody, assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { sendRequest } from '../support/clients/raw-http.ts'
import { goodParameters, requestToken } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const good = goodParameters(portico.demoEnv.CLIENT_ID, portico.demoEnv.CLIENT_SECRET)
const form = new URLSearchParams(good).toString()

const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))

describe('a body that is not a form counts as empty: 900144 naming grant_type', () => {
  const boundary = '----portico'
  const multipart = Object.entries(good)
    .map(
      ([name, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .join('')
  const bodies: [name: string, type: string, body: string][] = [
    ['JSON', 'application/json', JSON.stringify(good)],
    ['broken JSON', 'application/json', '{"grant_type":'],
    ['multipart', `multipart/form-data; boundary=${boundary}`, `${multipart}--${boundary}--\r\n`],
    ['nothing', 'application/x-www-form-urlencoded', ''],
  ]
  for (const [name, type, rawBody] of bodies) {
    test(name, async () => {
      const answer = await requestToken(portico, undefined, { headers: { 'content-type': type }, rawBody })
      const body = assertIssuerError(answer, issuerErrors.missingParameter)
      assert.match(String(body['error_description']), /grant_type/)
    })
  }
})

describe('a form that cannot be parsed answers 9002313', () => {
  const bodies: [name: string, body: string | Uint8Array<ArrayBuffer>][] = [
    ['a percent sign at the end', `${form}&x=%`],
    ['half a percent-encoded byte', `${form}&x=%2`],
    ['a percent sign before no hexadecimal digits', `${form}&x=%zz`],
    ['the same in a name', `${form}&%zz=x`],
    ['percent-encoded bytes that are no UTF-8', `${form}&x=%FF%FE`],
    ['an overlong UTF-8 encoding', `${form}&x=%C0%AF`],
    ['a lone surrogate', `${form}&x=%ED%A0%80`],
    ['raw bytes that are no UTF-8', latin1(`${form}&x=\xff\xfe`)],
    ['the same instead of the client_id', form.replace(/client_id=[^&]+/, 'client_id=%FF')],
  ]
  for (const [name, rawBody] of bodies) {
    test(name, async () => {
      assertIssuerError(await requestToken(portico, undefined, { rawBody }), issuerErrors.unusable)
    })
  }
})

describe('a body that is too large is rejected with a 4xx and an error body of the issuer', () => {
  test('above 16 KiB with a length', async () => {
    const answer = await requestToken(portico, { ...good, padding: 'x'.repeat(17 * 1024) })
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text)
    assertIssuerBody(answer)
  })

  test('above 16 KiB in chunks, without a length', async () => {
    const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
    const answer = await sendRequest(portico, {
      method: 'POST',
      path: '/auth/oauth2/v2.0/token',
      headers: [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Transfer-Encoding', 'chunked'],
      ],
      body: `${chunk.repeat(5)}0\r\n\r\n`,
    })
    assert.ok(answer.status >= 400 && answer.status < 500, answer.body)
    assertIssuerBody({ headers: new Headers(answer.headers), text: dechunk(answer.body) })
  })

  test('just below 16 KiB it is read', async () => {
    const answer = await requestToken(portico, { ...good, padding: 'x'.repeat(15 * 1024) })
    assert.equal(answer.status, 200, answer.text)
  })
})

test('a content encoding is rejected with a 4xx and an error body of the issuer', async () => {
  for (const encoding of ['gzip', 'br', 'x-unknown']) {
    const answer = await requestToken(portico, good, { headers: { 'content-encoding': encoding } })
    assert.ok(answer.status === 200 || (answer.status >= 400 && answer.status < 500), answer.text)
    if (answer.status !== 200) assertIssuerBody(answer)
  }
})

test('GET with a complete form body is not a POST: 900561', async () => {
  const answer = await sendRequest(portico, {
    method: 'GET',
    path: '/auth/oauth2/v2.0/token',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: form,
  })
  assert.equal(answer.status, 400)
  const body = assertIssuerBody({ headers: new Headers(answer.headers), text: dechunk(answer.body) })
  assert.deepEqual(body['error_codes'], [900561])
})

/** The body of a response that may be chunked. */
function dechunk(body: string): string {
  return body.startsWith('{') ? body : body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)
}
