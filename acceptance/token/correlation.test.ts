import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { assertIssuerBody } from '../support/oracles/issuer-error.ts'
import { type Answer, requestToken } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const wrong = { grant_type: 'password' }
const places: Record<string, (id: string) => Promise<Answer>> = {
  header: (id) => requestToken(portico, wrong, { headers: { 'client-request-id': id } }),
  body: (id) => requestToken(portico, { ...wrong, 'client-request-id': id }),
  query: (id) => requestToken(portico, wrong, { query: { 'client-request-id': id } }),
}

for (const [place, ask] of Object.entries(places)) {
  describe(`client-request-id in the ${place}`, () => {
    test('is echoed as correlation_id when it is a UUID', async () => {
      const id = randomUUID()
      const body = assertIssuerBody(await ask(id))
      assert.equal(body['correlation_id'], id)
      assert.notEqual(body['trace_id'], id)
    })

    test('is replaced by a new UUID when it is anything else', async () => {
      const id = randomUUID()
      for (const text of ['x', `${id}0`, `${id},${id}`, id.replaceAll('-', ''), `{${id}}`, '"><script>']) {
        const answer = await ask(text)
        const body = assertIssuerBody(answer)
        assert.notEqual(body['correlation_id'], text)
        assert.ok(!answer.text.includes(text === 'x' ? '"x"' : text), answer.text)
      }
    })
  })
}

test('without a client-request-id every error has a unique correlation_id', async () => {
  const first = assertIssuerBody(await requestToken(portico, wrong))
  const second = assertIssuerBody(await requestToken(portico, wrong))
  assert.notEqual(first['correlation_id'], second['correlation_id'])
})

test('a correlation id is echoed for any error', async () => {
  const id = randomUUID()
  const headers = { 'client-request-id': id }
  for (const answer of [
    await requestToken(portico, undefined, { method: 'GET', headers }),
    await requestToken(portico, undefined, { rawBody: 'x=%', headers }),
    await requestToken(portico, {}, { headers }),
  ]) {
    assert.equal(assertIssuerBody(answer)['correlation_id'], id)
  }
})
