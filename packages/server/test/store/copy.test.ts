import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { copyInstallation, CopyRejectedError } from '../../src/operator/copy/copy.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { TRANSFER_TABLES } from '../../src/store/transfer-tables.ts'
import type { Store } from '../../src/store/store.ts'
import {
  requireCompleteCopy,
  type TransferRow,
  type TransferStore,
  type Value,
} from '../../src/store/transfer.ts'
import { BACKENDS } from '../support/backends.ts'
import { addCommand, DAY } from '../support/commands.ts'
import { readAllSeries, NO_ROLLUPS } from '../support/series-fixtures.ts'
import { anotherSite, populateStore, RETENTION_MS } from '../support/populated-store.ts'
import { addPartner, addSite, entry, NOON } from '../support/seed.ts'
import { override } from '../support/override.ts'

const QUIET = (): void => {}

const copy = (from: Store, to: Pick<Store, 'transfer'>) => copyInstallation(from.transfer, to.transfer, QUIET)

const [SQLITE = assert.fail(), POSTGRES = assert.fail()] = BACKENDS
const PAIRS = BACKENDS.flatMap((from) => BACKENDS.map((to) => ({ from, to })))

const openPopulated = async (backend: (typeof BACKENDS)[number], t: TestContext) => {
  const store = await backend.open(t, { rawRetentionMs: RETENTION_MS })
  return { store, document: await populateStore(store) }
}

/** The target, with a hook that changes what is written to it. */
const meddled = (target: Store, write: TransferStore['write']): Pick<Store, 'transfer'> => ({
  transfer: override(target.transfer, { write }),
})

describe('a copy', () => {
  for (const { from, to } of PAIRS) {
    test(`from ${from.name} to ${to.name} has every row and returns the same results`, async (t) => {
      const { store: source, document } = await openPopulated(from, t)
      const target = await to.open(t)
      const { siteUuid } = document.site
      const report = await copy(source, target)
      assert.deepEqual(
        report.tables.filter(({ difference }) => difference !== undefined),
        [],
      )
      assert.deepEqual(
        report.tables.filter(({ rows }) => rows === 0),
        [],
        'of these there was nothing to copy',
      )
      assert.ok(report.isSame)
      await requireCompleteCopy(target.transfer)

      const now = systemClock.now()
      const clock = { now: () => now }
      for (const at of [now - 57 * DAY, now - 3 * DAY, now]) {
        const model = await createSiteDirectory(source.inventory).find(siteUuid)
        assert.ok(model)
        assert.deepEqual(
          await readAllSeries(target, target.rollups, model, at, clock),
          await readAllSeries(source, source.rollups, model, at, clock),
        )
      }
      const raw = await rawReadings(source, siteUuid)
      assert.ok(raw.some(({ timestamps }) => timestamps.length > 0))
      assert.deepEqual(await rawReadings(target, siteUuid), raw)
      assert.deepEqual(
        Buffer.from(await target.installationKey()),
        Buffer.from(await source.installationKey()),
      )
    })
  }

  for (const { from, to } of PAIRS) {
    test(`from ${from.name} to ${to.name} continues with identifiers, rollups and commands`, async (t) => {
      const { store: source, document } = await openPopulated(from, t)
      const target = await to.open(t)
      const { siteUuid } = document.site
      await copy(source, target)
      const { site, ...rest } = anotherSite()
      await target.inventory.apply(site.siteUuid, { site, ...rest }, entry())
      const [old, added] = await Promise.all(
        [siteUuid, site.siteUuid].map((uuid) => listSeriesIds(target, uuid)),
      )
      assert.ok(Math.min(...(added ?? [])) > Math.max(...(old ?? [])))
      const [newest, before] = await target.audit.list({ before: undefined, limit: 2 })
      assert.equal(newest?.id, (before?.id ?? 0) + 1)

      const unit = { siteUuid, deviceUuid: document.devices[0]?.deviceUuid ?? '' }
      const command = await addCommand(target, unit, { createdAt: NOON + DAY })
      const claimed = await target.outbox.claim(NOON + DAY, NOON + 2 * DAY, 100)
      assert.ok(claimed.some(({ messageUuid }) => messageUuid === command.commandUuid))

      const model = await createSiteDirectory(target.inventory).find(siteUuid)
      assert.ok(model)
      await target.runMaintenance()
      assert.equal((await target.statistics({ now: systemClock.now(), finishedSince: 0 })).queuedRollups, 0)
      const now = systemClock.now()
      const clock = { now: () => now }
      const middle = now - 3 * DAY
      assert.deepEqual(
        await readAllSeries(target, target.rollups, model, middle, clock),
        await readAllSeries(target, NO_ROLLUPS, model, middle, clock),
      )
    })
  }

  test('back again equals the original', async (t) => {
    const { store: first } = await openPopulated(SQLITE, t)
    const [second, third] = [await POSTGRES.open(t), await SQLITE.open(t)]
    const there = await copy(first, second)
    const back = await copy(second, third)
    assert.ok(back.isSame)
    assert.deepEqual(back.tables, there.tables)
  })

  test('with a text that the target cannot store is rejected, naming its row', async (t) => {
    const source = await SQLITE.open(t)
    const { partner } = await addPartner(source, { name: 'a\0b' })
    await assert.rejects(copy(source, await POSTGRES.open(t)), {
      name: 'Error',
      message: `the target cannot store a text in partners at ["${partner.partnerUuid}"]`,
    })
    assert.ok((await copy(source, await SQLITE.open(t))).isSame)
  })

  for (const to of BACKENDS) {
    test(`that ends after any batch is resumed, on ${to.name}`, async (t) => {
      const { store: source } = await openPopulated(SQLITE, t)
      const target = await to.open(t)
      const written: string[] = []
      const once = meddled(target, async (table, rows, position) => {
        await target.transfer.write(table, rows, position)
        written.push(table.name)
        throw new Error('lost')
      })
      for (let runs = 1; ; runs += 1) {
        const result = await copy(source, once).catch(() => undefined)
        if (result) {
          assert.deepEqual([result.isResumed, result.isSame], [true, true])
          break
        }
        assert.equal(written.length, runs)
        await assert.rejects(requireCompleteCopy(target.transfer), { code: 'unavailable' })
      }
      assert.equal(new Set(written).size, TRANSFER_TABLES.length)
    })

    test(`whose batch fails stores nothing of the batch, on ${to.name}`, async (t) => {
      const { store: source } = await openPopulated(SQLITE, t)
      const target = await to.open(t)
      const broken = meddled(target, (table, rows, position) =>
        // A duplicate row: the second is rejected because the first is already written.
        target.transfer.write(table, table.name === 'spaces' ? [...rows, ...rows] : rows, position),
      )
      await assert.rejects(copy(source, broken))
      const report = await copy(source, target)
      assert.deepEqual([report.isResumed, report.isSame], [true, true])
    })

    test(`with a difference in every table reports each and stays unfinished, on ${to.name}`, async (t) => {
      const { store: source } = await openPopulated(SQLITE, t)
      const target = await to.open(t)
      const altered = meddled(target, (table, rows, position) =>
        target.transfer.write(table, otherThan(table.name, rows), position),
      )
      const report = await copy(source, altered)
      assert.equal(report.isSame, false)
      assert.deepEqual(
        report.tables.filter(({ difference }) => !difference?.upTo),
        [],
        'in these nothing was found',
      )
      await assert.rejects(requireCompleteCopy(target.transfer), { code: 'unavailable' })
    })

    test(`into a store in use is rejected, on ${to.name}`, async (t) => {
      const { store: source } = await openPopulated(SQLITE, t)
      const target = await to.open(t)
      await addSite(target)
      await assert.rejects(copy(source, target), CopyRejectedError)
      await requireCompleteCopy(target.transfer)
    })

    test(`of another installation is not resumed, on ${to.name}`, async (t) => {
      const target = await to.open(t)
      const lost = meddled(target, () => Promise.reject(new Error('lost')))
      await assert.rejects(copy((await openPopulated(SQLITE, t)).store, lost))
      await assert.rejects(copy(await SQLITE.open(t), target), CopyRejectedError)
      await assert.rejects(copy(target, await SQLITE.open(t)), CopyRejectedError)
    })
  }
})

async function rawReadings(store: Store, siteUuid: string) {
  const span = { from: 0, to: systemClock.now() + DAY }
  const numbers = await listSeriesIds(store, siteUuid)
  return Promise.all(numbers.map((seriesId) => store.readings.within(siteUuid, seriesId, span)))
}

async function listSeriesIds(store: Store, siteUuid: string): Promise<number[]> {
  const stored = await store.inventory.load(siteUuid)
  const all = [...(stored?.devices ?? []), ...(stored?.spaces ?? [])]
  return all.flatMap(({ series }) => Object.values(series)).toSorted((a, b) => a - b)
}

/** Tables without a column whose value can be changed without breaking something else. */
const ALL_KEY = ['partner_sites', 'readings', 'rollup_queue']

/** The rows with one missing, or with a changed value. */
function otherThan(table: string, rows: readonly TransferRow[]): TransferRow[] {
  const [first = [], ...others] = rows
  if (ALL_KEY.includes(table)) return others
  return [[...first.slice(0, -1), otherValue(first.at(-1) ?? null)], ...others]
}

function otherValue(value: Value): Value {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1_000
  if (value instanceof Uint8Array) return value.map((byte) => byte ^ 1)
  return value === null ? 1 : `${value} `
}
