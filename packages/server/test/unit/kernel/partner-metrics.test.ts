import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MetricJson } from '../../../src/kernel/http-metrics.ts'
import { createMetrics } from '../../../src/kernel/metrics.ts'
import { createMetricsAggregator } from '../../../src/process/workers/sum-metrics.ts'

const requests = (text: string): Map<string, number> =>
  new Map(
    [...text.matchAll(/^portico_partner_requests_total\{partner="(\S+)"\} (\d+)$/gm)].map(
      ([, partner = '', count]) => [partner, Number(count)],
    ),
  )

const sum = (counts: Map<string, number>): number => counts.values().reduce((all, count) => all + count, 0)

test('100 partners have labels of their own, and keep them; the rest share one', async () => {
  const { partners, toText } = createMetrics()
  for (let index = 0; index < 5_000; index += 1)
    partners.count(`p${index % 2_500}`, index < 2_500 ? 200 : 429)
  for (const again of [1, 2]) {
    const text = await toText()
    const counts = requests(text)
    assert.equal(counts.size, 101, `read ${again} times`)
    assert.equal(counts.get('p99'), 2)
    assert.equal(sum(counts), 5_000)
    assert.match(text, /^portico_partner_refusals_total\{partner="other",status="429"\} 2400$/m)
  }
})

test('with workers, a partner has the same label in the counts of all of them', async () => {
  const [own, one, two] = [createMetrics(), createMetrics(), createMetrics()]
  for (let index = 0; index < 150; index += 1) one.partners.count(`p${index}`, 200)
  for (let index = 149; index >= 0; index -= 1) two.partners.count(`p${index}`, 200)
  const sums = createMetricsAggregator()
  const update = async (number: number, metrics: { toJson(): Promise<MetricJson[]> }): Promise<void> =>
    sums.update(number, await metrics.toJson())
  await update(1, one)
  await update(2, two)
  const check = async (): Promise<void> => {
    const counts = requests(await sums.text(await own.toJson()))
    assert.equal(counts.size, 101)
    assert.equal(sum(counts), 300)
    assert.deepEqual(new Set(counts.values()), new Set([2, 100]))
  }
  await check()
  sums.retain(2)
  await check()
})
