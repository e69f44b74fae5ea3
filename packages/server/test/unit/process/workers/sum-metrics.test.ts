import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, type Metrics } from '../../../../src/kernel/metrics.ts'
import { createMetricsAggregator } from '../../../../src/process/workers/sum-metrics.ts'
import type { MetricsSnapshot } from '../../../../src/process/workers/ipc-api.ts'

const collect = ({ toJson }: Metrics): Promise<MetricsSnapshot> => toJson()

const tokensIn = (text: string): string | undefined => /^portico_tokens_issued_total (\S+)$/m.exec(text)?.[1]

test('counters of all processes are summed, including those of one that has exited', async () => {
  const [own, one, two, next] = [createMetrics(), createMetrics(), createMetrics(), createMetrics()]
  const figures = createMetricsAggregator()
  one.tokensIssued.inc(3)
  two.tokensIssued.inc(4)
  figures.update(1, await collect(one))
  figures.update(2, await collect(two))
  assert.equal(tokensIn(await figures.text(await collect(own))), '7')
  figures.retain(2)
  assert.equal(tokensIn(await figures.text(await collect(own))), '7')
  next.tokensIssued.inc(5)
  figures.update(2, await collect(next))
  assert.equal(tokensIn(await figures.text(await collect(own))), '12')
  figures.retain(2)
  assert.equal(tokensIn(await figures.text(await collect(own))), '12')
})

test('gauges of a process that has exited are dropped', async () => {
  const [own, one] = [createMetrics(), createMetrics()]
  const figures = createMetricsAggregator()
  one.mqttClients.set(5)
  figures.update(1, await collect(one))
  assert.match(await figures.text(await collect(own)), /^portico_mqtt_clients 5$/m)
  figures.retain(1)
  assert.match(await figures.text(await collect(own)), /^portico_mqtt_clients 0$/m)
})
