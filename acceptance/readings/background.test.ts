import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onlyEmbedded } from '../support/servers/backend.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { applyInventory, type Installation, startInstallation } from '../support/servers/installation.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'

const house = makeSmallSite()
let installation: Installation

/** The store's background backlog, both values from one scrape. */
async function backlog(): Promise<{ unpacked: number; toRollUp: number }> {
  const text = await readMetrics(installation.portico)
  return {
    unpacked: metric(text, 'portico_journal_readings'),
    toRollUp: metric(text, 'portico_rollup_queue_entries'),
  }
}

function metric(text: string, name: string): number {
  const [, value] = new RegExp(`^${name} (\\d+)$`, 'm').exec(text) ?? []
  assert.ok(value, `${name} is not among the metrics`)
  return Number(value)
}

const history = (hours: number, first = 0): ReadingRecord[] =>
  Array.from({ length: hours }, (_, index) => ({
    deviceUuid: house.meter,
    metricType: 'electricity',
    timestamp: new Date(Date.parse('2026-02-01T00:00Z') + index * 3_600_000).toISOString(),
    value: first + index,
  }))

onlyEmbedded('PostgreSQL has no journal, and closes days by the clock', () => {
  // A file without tests would exit before its `after` hooks run.
  before(async () => {
    installation = await startInstallation()
    await applyInventory(installation, house.document)
  })
  after(() => installation.stop())

  test('past days are rolled up in the background, whatever else is written', async () => {
    let first = 0
    // Background work begins a second after the last write, perhaps before the metrics are read.
    await eventually(async () => {
      await postReadings(installation, 'ndjson', write(history(100, (first += 1)), 'ndjson'))
      const { unpacked, toRollUp } = await backlog()
      assert.ok(unpacked >= 100)
      assert.ok(toRollUp > 0)
    })
    await eventually(async () => {
      await postReadings(installation, 'ndjson', write(history(1), 'ndjson'))
      assert.equal((await backlog()).toRollUp, 0)
    })
  })
})
