import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from '@portico/server/config/config'
import { openOperator } from '@portico/server/operator/operator'
import { openLocalClient } from '../../src/client/local-client.ts'

const BATCH = 10_000
const toLine = (line: number): string =>
  `3f8e0a54-6c1e-4f0b-9f1e-0d9b5a1c2e77,temperature,2026-03-02T06:00:00Z,${line}\n`

test('what an import has counted before it fails is counted', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({ data: folder }, {})
  const failure = new Error('The disk cannot be read.')
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('deviceUuid,metricType,timestamp,value\n')
    for (let line = 0; line < BATCH; line += 1) yield Buffer.from(toLine(line))
    throw failure
  }
  {
    await using client = await openLocalClient(config, { create: true })
    const progress = { skipLines: 0, onBatch: () => () => {}, onRefused: () => {} }
    await assert.rejects(client.importReadings('text/csv', source(), progress), failure)
  }
  await using operator = await openOperator(config, { create: false })
  assert.deepEqual(await operator.store.importCounts.take(), { 'unknown-device': BATCH })
})
