import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { demoEnvPath } from '../support/demo-env.ts'
import { asUuid } from '../support/json.ts'
import { readMetrics } from '../support/metrics.ts'
import { startPortico } from '../support/portico.ts'
import { api, demoToken, requestToken } from '../support/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

test('GET /live and GET /ready answer 200 without a token', async () => {
  for (const path of ['/live', '/ready']) {
    const answer = await api(portico, path)
    assert.equal(answer.status, 200, answer.text)
    asUuid(answer.headers.get('x-request-id'))
  }
})

describe('GET /metrics', () => {
  test('answers in the Prometheus text format', async () => {
    const answer = await api(portico, '/metrics')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain\b|^application\/openmetrics-text\b/)
    const lines = answer.text.split('\n').filter((line) => line !== '')
    assert.ok(lines.length > 0)
    const sample = /^[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? \S+( \d+)?$/
    for (const line of lines) assert.ok(line.startsWith('#') || sample.test(line), line)
  })

  test('repeats nothing that a caller sent', async () => {
    await api(portico, '/zq7marker')
    await api(portico, '/v2/zq7marker', { token: await demoToken(portico) })
    await requestToken(portico, { grant_type: 'zq7marker', client_id: 'zq7marker' })
    assert.doesNotMatch(await readMetrics(portico), /zq7marker/)
  })
})

describe('the demo', () => {
  test('hands out addresses of the configured public address', () => {
    const { demoEnv } = portico
    assert.equal(demoEnv.AUTH_URL, portico.authUrl)
    assert.equal(demoEnv.BASE_URL, portico.baseUrl)
    assert.equal(demoEnv.BASE_URL_V1, `${portico.url}/v1`)
    assert.equal(demoEnv.OPERATOR_URL, portico.operatorUrl)
    asUuid(demoEnv.CLIENT_ID)
    asUuid(demoEnv.SITE_ID)
    asUuid(demoEnv.OPERATOR_CLIENT_ID)
  })

  test('keeps demo.env for its owner alone', async () => {
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
