import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Histogram, Registry } from 'prom-client'
import type { MetricJson } from '../../../src/kernel/http-metrics.ts'
import { createMetrics, toMetricsText } from '../../../src/kernel/metrics.ts'

const NAME = 'portico_http_request_duration_seconds'

test('responses are counted as by prom-client', async () => {
  const metrics = createMetrics()
  const theirs = new Registry()
  const histogram = new Histogram({
    name: NAME,
    help: 'Time from the request line until the response was passed to the connection, without waiting that the client requested.',
    labelNames: ['route', 'method'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [theirs],
  })
  const answers = [
    { route: '/a', method: 'GET', status: 200, seconds: 0.0004 },
    { route: '/a', method: 'GET', status: 200, seconds: 0.001 },
    { route: '/a', method: 'GET', status: 304, seconds: 0.3 },
    { route: '/a', method: 'POST', status: 200, seconds: 20 },
    { route: '/b "c"', method: 'GET', status: 404, seconds: 0.002 },
  ]
  for (const { route, method, status, seconds } of answers) {
    metrics.http.count(route, method, status, seconds)
    histogram.observe({ route, method }, seconds)
  }
  const same = (text: string): string[] => text.split('\n').filter((line) => line.includes(NAME))
  assert.deepEqual(same(await metrics.toText()), same(await theirs.metrics()))

  // Summed, as over several processes.
  const added = async (read: () => Promise<MetricJson[]>): Promise<string> =>
    toMetricsText([await read(), await read()])
  assert.deepEqual(same(await added(metrics.toJson)), same(await added(() => theirs.getMetricsAsJSON())))

  for (const again of [1, 2]) {
    const counts = (await metrics.toText()).match(/^portico_http_requests_total\{.*$/gm)
    assert.deepEqual(
      counts,
      [
        'portico_http_requests_total{route="/a",method="GET",status="200"} 2',
        'portico_http_requests_total{route="/a",method="GET",status="304"} 1',
        'portico_http_requests_total{route="/a",method="POST",status="200"} 1',
        'portico_http_requests_total{route="/b \\"c\\"",method="GET",status="404"} 1',
      ],
      `looked at ${again} times`,
    )
  }
})

test('at most 1,000 label combinations are counted separately; the rest are counted without a route', async () => {
  const { http, toText } = createMetrics()
  for (let index = 0; index < 5_000; index += 1)
    http.count(`/${index >> 4}`, 'GET', 400 + (index % 16), 0.001)
  const counts = (await toText()).match(/^portico_http_requests_total\{.*$/gm) ?? []
  assert.equal(counts.length, 1_000 + 16)
  assert.equal(
    counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0),
    5_000,
  )
})
