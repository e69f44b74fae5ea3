import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../support/servers/free-port.ts'
import { asObject, asString, parseJson } from '../support/json.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import {
  makeTempDir,
  type Portico,
  removeDataDir,
  runPortico,
  startPortico,
} from '../support/servers/portico.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { api, demoToken, requestToken, send } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())
const token = await demoToken(portico)

test('on the API port, /metrics is an unknown path', async () => {
  assertProblem(portico, await api(portico, '/metrics'), 404)
})

describe('GET /metrics on its own listener', () => {
  test('answers in the Prometheus text format', async () => {
    const answer = await send(portico.metricsUrl)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain\b|^application\/openmetrics-text\b/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const lines = answer.text.split('\n').filter((line) => line !== '')
    assert.ok(lines.length > 0)
    const sample = /^[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? \S+( \d+)?$/
    for (const line of lines) assert.ok(line.startsWith('#') || sample.test(line), line)
  })

  test('serves nothing else', async () => {
    assert.equal((await send(portico.metricsUrl, { method: 'HEAD' })).status, 200)
    assert.equal((await send(portico.metricsUrl, { method: 'POST', body: 'x' })).status, 405)
    for (const path of ['/', '/ready', '/v2/sites', '/metrics/x']) {
      const answer = await send(new URL(path, portico.metricsUrl).href)
      assert.equal(answer.status, 404, path)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    }
  })

  test('contains nothing that a caller sent', async () => {
    await api(portico, '/zq7marker')
    await api(portico, '/v2/zq7marker', { token })
    await requestToken(portico, { grant_type: 'zq7marker', client_id: 'zq7marker' })
    assert.doesNotMatch(await readMetrics(portico), /zq7marker/)
  })

  test('is computed at most once a second, however often it is read', async () => {
    await readMetrics(portico)
    const startedAt = Date.now()
    const texts: string[] = []
    for (let count = 0; count < 20; count += 1) texts.push((await send(portico.metricsUrl)).text)
    const seconds = Math.ceil((Date.now() - startedAt) / 1_000)
    const computed = new Set(texts).size
    assert.ok(computed <= 1 + seconds, `computed ${computed} times in ${seconds} s`)
    await sleep(1_000)
    assert.notEqual(await readMetrics(portico), texts.at(-1))
  })
})

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

test('rejected requests share one route label, for any path, method and status', async () => {
  const routes = [
    ...(await describedRoutes('v1')),
    ...(await describedRoutes('v2')),
    ...(await describedRoutes('operator')),
  ]
  assert.ok(routes.length > 50, `${routes.length} routes`)
  const before = await readMetrics(portico)
  const refusedBefore = countRefused(before)
  const variants = METHODS.flatMap((method) =>
    [{}, { authorization: 'Bearer x.y.z' }, { 'x-long': 'a'.repeat(17_000) }].map((headers) => ({
      method,
      headers,
    })),
  )
  const paths = [...routes, '/nothing', '/v2/nothing', '/errors/x', '/auth/oauth2/v2.0/token']
  for (const path of paths) {
    const answers = await Promise.all(variants.map((variant) => send(`${portico.origin}${path}`, variant)))
    for (const { status, text } of answers)
      assert.ok(status >= 400 && status < 500, `${path}: ${status} ${text}`)
  }
  const sent = paths.length * variants.length
  const text = await readMetrics(portico)
  const grown = text.length - before.length
  assert.ok(grown < 5_000, `${sent} refused requests made the metrics ${grown} bytes longer`)
  assert.equal(countRefused(text) - refusedBefore, sent)
})

const countRefused = (text: string): number =>
  [
    ...text.matchAll(/^portico_http_requests_total\{route="none",method="any",status="\d+"\} (\d+)$/gm),
  ].reduce((sum, [, count]) => sum + Number(count), 0)

/** Every path of an OpenAPI document, with its parameters substituted. */
async function describedRoutes(name: string): Promise<string[]> {
  const document = await api(portico, `/openapi/${name}.json`)
  return Object.keys(asObject(document.json['paths'])).map(
    (path) => `/${name}${path.replaceAll(/\{\w+\}/g, '1')}`,
  )
}

describe('METRICS_PORT', () => {
  test('0 picks a free port, and the ready line names it', async () => {
    await using other = await startPortico({ demo: false, env: { METRICS_PORT: '0' } })
    const { metricsUrl } = await readyLine(other)
    assert.match(await readMetrics({ metricsUrl: asString(metricsUrl) }), /^portico_/m)
  })

  test('off disables the listener', async () => {
    await using other = await startPortico({ demo: false, env: { METRICS_PORT: 'off' } })
    assert.equal((await readyLine(other))['metricsUrl'], undefined)
  })

  test('if the default port is in use, the server picks a free one and reports it', async () => {
    const taken = createServer()
    // The port is taken by another server or by this test.
    taken.on('error', () => {})
    taken.listen(9464, '127.0.0.1')
    await using other = await startPortico({ demo: false, env: { METRICS_PORT: '' } })
    const [, port = ''] = await other.waitForOutput(/Port 9464 is taken; using (\d+) instead/)
    const metricsUrl = `http://127.0.0.1:${port}/metrics`
    assert.equal((await readyLine(other))['metricsUrl'], metricsUrl)
    assert.match(await readMetrics({ metricsUrl }), /^portico_/m)
    taken.close()
  })

  test('if a configured port is in use, the start fails with one line', async () => {
    const dataDir = await makeTempDir()
    const port = await findFreePort()
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    for (const demo of [[], ['--demo']]) {
      const { code, stderr } = await runPortico(['serve', ...demo, '--port', '0', '--mqtt-port', '0'], {
        dataDir,
        env: { METRICS_PORT: String(port) },
      })
      assert.equal(code, 1)
      assert.equal(stderr, `portico: port ${port} on 127.0.0.1 is taken; choose another with METRICS_PORT\n`)
    }
    taken.close()
    await removeDataDir(dataDir)
  })

  test('the port of the API is rejected with one line', async () => {
    const dataDir = await makeTempDir()
    const port = String(await findFreePort())
    const env = { METRICS_PORT: port }
    const { code, stderr } = await runPortico(['serve', '--port', port, '--mqtt-port', '0'], { dataDir, env })
    assert.equal(code, 1)
    assert.equal(stderr, `portico: port ${port} cannot be both --port and METRICS_PORT\n`)
    await removeDataDir(dataDir)
  })
})

async function readyLine(other: Portico): Promise<Record<string, unknown>> {
  const [, line = ''] = await other.waitForOutput(/^(.*"msg":"ready".*)\n/m)
  return asObject(parseJson(line))
}
