import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { importCsv } from '../../../../../src/domain/telemetry/ingest/csv.ts'
import {
  createReadingImport,
  type ImportReport,
} from '../../../../../src/domain/telemetry/ingest/reading-import.ts'
import { createSiteDirectory } from '../../../../../src/domain/estate/inventory/site-directory.ts'
import type { InventoryStore } from '../../../../../src/domain/estate/inventory/store.ts'
import { systemClock } from '../../../../../src/kernel/clock.ts'
import { newUuid } from '../../../../../src/kernel/ids.ts'
import { openSqliteStore } from '../../../../../src/store/sqlite/store.ts'
import { temporaryFolder } from '../../../../support/folder.ts'
import { GAUGE, makeSmallSite } from '../../../../support/small-site.ts'
import { entry } from '../../../../support/seed.ts'

const HEADER = 'deviceUuid,metricType,timestamp,value'
const AT = '2026-03-02T06:00:00Z'

/** Sites with two sensors each, and the results of lines about them. */
async function open(t: TestContext, siteCount: number) {
  const store = openSqliteStore(join(temporaryFolder(t), 'portico.db'))
  t.after(() => store.close())
  await store.migrate()
  const sensor = { space: 0, metrics: { temperature: GAUGE, humidity: GAUGE } }
  const sites = Array.from({ length: siteCount }, () => makeSmallSite('Europe/London', 1, [sensor, sensor]))
  for (const document of sites)
    await store.inventory.apply(document.site.siteUuid, document, entry('site.added'))
  let lookups = 0
  const inventory: Pick<InventoryStore, 'findSiteOfDevice'> = {
    findSiteOfDevice(deviceUuid) {
      lookups += 1
      return store.inventory.findSiteOfDevice(deviceUuid)
    },
  }
  const { readings } = store
  const siteDirectory = createSiteDirectory(store.inventory)
  return {
    sensors: sites.map(({ devices }) => devices.map(({ deviceUuid }) => deviceUuid)),
    lookups: () => lookups,
    async deliver(lines: readonly string[]): Promise<ImportReport> {
      const intake = createReadingImport({
        inventory,
        siteDirectory,
        readings,
        clock: systemClock,
        rawRetentionMs: undefined,
      })
      await importCsv(
        (async function* () {
          yield Buffer.from([HEADER, ...lines].join('\n'))
        })(),
        intake,
      )
      return intake.finish()
    },
    async latest(site: number): Promise<number[]> {
      const siteUuid = sites[site]?.site.siteUuid ?? ''
      return [...(await readings.latest(siteUuid)).values()]
        .map(({ value }) => value)
        .toSorted((a, b) => a - b)
    },
  }
}

test('a delivery for one site looks up the site of its first device only', async (t) => {
  const { sensors, lookups, deliver, latest } = await open(t, 1)
  const [[one, two] = []] = sensors
  const { accepted } = await deliver([
    `${one},temperature,${AT},1`,
    `${one},humidity,${AT},2`,
    `${two},temperature,${AT},3`,
    `${two},humidity,${AT},4`,
  ])
  assert.equal(accepted, 4)
  assert.deepEqual(await latest(0), [1, 2, 3, 4])
  assert.equal(lookups(), 1)
})

test('metrics that a device of the site does not declare are rejected without a lookup', async (t) => {
  const { sensors, lookups, deliver } = await open(t, 1)
  const [[one] = []] = sensors
  const unknown = ['co2', 'light', 'noise'].map((metric) => `${one},${metric},${AT},1`)
  const { refusedCount } = await deliver([`${one},temperature,${AT},1`, ...unknown])
  assert.equal(refusedCount, 3)
  assert.equal(lookups(), 1)
})

test('readings of several sites and of unknown devices are told apart, in any order and spelling', async (t) => {
  const { sensors, deliver, latest } = await open(t, 2)
  const [[one, two] = [], [three, four] = []] = sensors
  const stranger = newUuid()
  const { accepted, refused } = await deliver([
    `${one},temperature,${AT},1`,
    `${three},temperature,${AT},5`,
    `${stranger},temperature,${AT},9`,
    `${two?.toUpperCase()},temperature,${AT},2`,
    ` "${four}" , temperature ,${AT}, 6`,
    `${one},humidity,${AT},3`,
    `${one},co2,${AT},9`,
    `${three},humidity,${AT},7`,
    `${stranger},humidity,${AT},9`,
  ])
  assert.equal(accepted, 6)
  assert.deepEqual(
    refused.map(({ line, code }) => [line, code]),
    [
      [4, 'unknown-device'],
      [8, 'metric-not-declared'],
      [10, 'unknown-device'],
    ],
  )
  assert.deepEqual(await latest(0), [1, 2, 3])
  assert.deepEqual(await latest(1), [5, 6, 7])
})
