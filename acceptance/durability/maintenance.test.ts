import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../support/servers/installation.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { runPortico } from '../support/servers/portico.ts'
import { tokenFor } from '../support/clients/requests.ts'
import { getReadings } from '../support/clients/series.ts'
import { makeStore, type Store } from '../support/servers/store.ts'
import { v2Client } from '../support/clients/v2-client.ts'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'

const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000
const LOG_LINE = 'background maintenance fails and is retried'
const env = { LOG_LEVEL: 'info' }
const house = makeSmallSite({ timeZone: 'UTC' })
const old = Math.floor(Date.now() / DAY_MS) * DAY_MS - 60 * DAY_MS

let store: Store
let installation: Installation
let credentials: { clientId: string; clientSecret: string }

/** Ten days of both meters, sixty days ago. */
const history: ReadingRecord[] = [house.meter, house.secondMeter].flatMap((deviceUuid) =>
  Array.from({ length: 10 * 48 + 1 }, (_, index) => ({
    deviceUuid,
    metricType: 'electricity',
    timestamp: new Date(old + index * HALF_HOUR_MS).toISOString(),
    value: index / 4,
  })),
)

const withStore = <T>(work: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(join(store.dataDir, 'portico.db'), { timeout: 10_000 })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

const seriesId = (deviceUuid: string): number =>
  withStore((db) =>
    Number(db.prepare('SELECT series_id FROM series WHERE subject_uuid = ?').get(deviceUuid)?.['series_id']),
  )

const countRollups = (deviceUuid: string): number => {
  const series = seriesId(deviceUuid)
  return withStore((db) =>
    Number(db.prepare('SELECT count(*) AS days FROM rollup_days WHERE series_id = ?').get(series)?.['days']),
  )
}

const doctorLine = async (): Promise<string> => {
  const { stdout } = await runPortico(['doctor'], { dataDir: store.dataDir })
  return /^.*background maintenance.*$/m.exec(stdout)?.[0] ?? stdout
}

const countLogged = (text: string): number => installation.portico.output().split(text).length - 1

before(async () => {
  store = await makeStore()
  installation = await store.start({ env })
  await applyInventory(installation, house.document)
  credentials = (await addClient(installation, [house.siteUuid])).partner
})
after(async () => {
  await installation.stop()
  await store.remove()
})

test('one series that cannot be rolled up is reported, and the others are rolled up', async () => {
  // Simulates a defect that affects the data of one series only.
  const failing = seriesId(house.meter)
  withStore((db) =>
    db.exec(`CREATE TRIGGER planted BEFORE INSERT ON rollup_days WHEN NEW.series_id = ${failing}
             BEGIN SELECT RAISE(ABORT, 'planted failure'); END`),
  )
  await postReadings(installation, 'ndjson', write(history, 'ndjson'))
  await eventually(async () => {
    const metrics = await readMetrics(installation.portico)
    assert.match(metrics, /^portico_maintenance_failures_total\{task="rollup"\} [1-9]/m)
    assert.match(metrics, /^portico_rollup_queue_entries 0$/m)
    assert.ok(countRollups(house.secondMeter) >= 10)
  })
  assert.equal(countRollups(house.meter), 0)
  await installation.portico.waitForOutput(/"task":"rollup".*planted failure/)
  assert.equal(countLogged(LOG_LINE), 1)
  assert.match(
    await doctorLine(),
    new RegExp(`^BAD +background maintenance +rollup of series ${failing} failed .*planted failure`),
  )
  assert.equal((await fetch(`${installation.portico.url}/ready`)).status, 200)
})

test('retention continues for the others', async () => {
  await installation.stop()
  installation = await store.start({ env: { ...env, RAW_RETENTION: 'P30D' } })
  const { portico } = installation
  const { clientId, clientSecret } = credentials
  const client = v2Client(portico, await tokenFor(portico, clientId, clientSecret), house.siteUuid)
  const range = {
    fromDateTime: new Date(old).toISOString(),
    toDateTime: new Date(old + 5 * DAY_MS).toISOString(),
  }
  await eventually(async () =>
    assert.deepEqual(await getReadings(client, house.secondMeter, 'electricity', range), []),
  )
  assert.equal((await getReadings(client, house.meter, 'electricity', range)).length, 5 * 48)
})

test('the series is rolled up once the cause is gone, and its failure is cleared', async () => {
  assert.match(await doctorLine(), /^BAD/)
  withStore((db) => db.exec('DROP TRIGGER planted'))
  // A late reading makes its days due before the backoff ends.
  const late = {
    deviceUuid: house.meter,
    metricType: 'electricity',
    timestamp: new Date(Date.now() - 29 * DAY_MS).toISOString(),
    value: 500,
  }
  await postReadings(installation, 'ndjson', write([late], 'ndjson'))
  await eventually(async () => assert.ok(countRollups(house.meter) >= 10))
  await eventually(
    async () => assert.match(await doctorLine(), /^ok +background maintenance +no failures/),
    90_000,
  )
})
