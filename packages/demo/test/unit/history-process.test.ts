import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoHistory } from '../../src/content/index.ts'
import { HistoryProcess } from '../../src/history/process.ts'
import { DAY_MS, TO } from './series.ts'
import { other } from './sites.ts'

const SPAN = { from: TO, to: TO + DAY_MS }

test('the history process generates the readings of the history', async () => {
  const made = await new HistoryProcess().use((history) =>
    history.call('readings', other.site.siteUuid, SPAN),
  )
  assert.deepEqual(made, [...demoHistory(other, SPAN)])
})

test('the readings are the same if the models were built for another time', async () => {
  for (const modelsTo of [TO - 400 * DAY_MS, TO + DAY_MS]) {
    const made = await new HistoryProcess({ modelsTo }).use((history) =>
      history.call('readings', other.site.siteUuid, SPAN),
    )
    assert.deepEqual(made, [...demoHistory(other, SPAN)])
  }
})

test('a failure of the history process is reported', async () => {
  const nowhere = {
    database: { kind: 'sqlite', file: '/dev/null/portico.db' },
    rawRetentionMs: undefined,
  } as const
  const missing = [{ siteUuid: other.site.siteUuid, span: SPAN }]
  await assert.rejects(new HistoryProcess().use((history) => history.call('store', nowhere, missing)))
})
