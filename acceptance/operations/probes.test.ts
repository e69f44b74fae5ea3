import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { demoEnvPath } from '../support/servers/demo-env.ts'
import { asUuid } from '../support/json.ts'
import { startPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

test('GET /live and GET /ready answer 200 without a token', async () => {
  for (const path of ['/live', '/ready']) {
    const answer = await api(portico, path)
    assert.equal(answer.status, 200, answer.text)
    asUuid(answer.headers.get('x-request-id'))
  }
})

describe('the demo', () => {
  test('uses the configured public address in the addresses it prints', () => {
    const { demoEnv } = portico
    assert.equal(demoEnv.AUTH_URL, portico.authUrl)
    assert.equal(demoEnv.BASE_URL, portico.baseUrl)
    assert.equal(demoEnv.BASE_URL_V1, `${portico.url}/v1`)
    assert.equal(demoEnv.OPERATOR_URL, portico.operatorUrl)
    asUuid(demoEnv.CLIENT_ID)
    asUuid(demoEnv.SITE_ID)
    asUuid(demoEnv.OPERATOR_CLIENT_ID)
  })

  test('makes demo.env readable for its owner only', async () => {
    assert.equal((await stat(demoEnvPath(portico.dataDir))).mode & 0o777, 0o600)
  })
})

test('the descriptions of the APIs are served', async () => {
  for (const name of ['v2', 'operator']) {
    const answer = await api(portico, `/openapi/${name}.json`)
    assert.equal(answer.status, 200, answer.text)
    assert.match(String(answer.json['openapi']), /^3\./)
  }
})
