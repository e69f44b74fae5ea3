import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InventoryDocument } from '../../src/domain/estate/inventory/inventory.ts'
import { createInventoryService } from '../../src/domain/estate/inventory/service.ts'
import { createSiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import type { Store } from '../../src/store/store.ts'
import { COMMAND_LINE } from '../../src/domain/identity/audit.ts'
import { BACKENDS } from '../support/backends.ts'
import { createClock } from '../support/clock.ts'
import { makeSmallSite, REGISTER } from '../support/small-site.ts'
import { NOON } from '../support/seed.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

/** Two rooms, and a meter in the first. */
const flat = (): InventoryDocument =>
  makeSmallSite('Europe/London', 2, [
    { space: 0, metrics: { electricity: { ...REGISTER, registerSize: 1e6 } } },
  ])

const createService = (store: Store, clock = createClock()) =>
  createInventoryService({ store: store.inventory, clock })

for (const backend of BACKENDS) {
  describe(`inventory on ${backend.name}`, () => {
    test('applying twice, and applying the export, change nothing', async (t) => {
      const store = await backend.open(t)
      const service = createService(store)
      const document = flat()
      assert.deepEqual(await service.apply(document, COMMAND_LINE), {
        created: 5,
        updated: 0,
        archived: 0,
        unchanged: 0,
      })
      const unchanged = { created: 0, updated: 0, archived: 0, unchanged: 5 }
      assert.deepEqual(await service.apply(document, COMMAND_LINE), unchanged)
      const version = await store.inventory.version(document.site.siteUuid)
      assert.deepEqual(
        await service.apply(await service.export(document.site.siteUuid), COMMAND_LINE),
        unchanged,
      )
      assert.equal(await store.inventory.version(document.site.siteUuid), version)
    })

    test('a plan has the changes of applying, names the records, and writes nothing', async (t) => {
      const store = await backend.open(t)
      const service = createService(store)
      const document = flat()
      const { siteUuid } = document.site
      const first = await service.plan(document, COMMAND_LINE)
      assert.equal(first.changes.created, 5)
      assert.deepEqual(
        first.records.map(({ kind, what }) => `${kind} ${what}`),
        ['site created', 'building created', 'space created', 'space created', 'device created'],
      )
      assert.equal(await store.inventory.version(siteUuid), undefined)
      await service.apply(document, COMMAND_LINE)
      const [building, ...others] = document.buildings
      assert.ok(building)
      const { changes, archived, records } = await service.plan(
        { ...document, buildings: [{ ...building, buildingName: 'Renamed' }, ...others], devices: [] },
        COMMAND_LINE,
      )
      assert.deepEqual(changes, { created: 0, updated: 1, archived: 1, unchanged: 3 })
      const [device] = document.devices
      const gone = { kind: 'device', uuid: device?.deviceUuid, name: device?.deviceName }
      assert.deepEqual(archived, [gone])
      assert.deepEqual(records, [
        { ...gone, what: 'archived' },
        { kind: 'building', uuid: building.buildingUuid, name: 'Renamed', what: 'updated' },
      ])
      assert.equal((await service.export(siteUuid)).devices.length, 1)
    })

    test('a removed record is archived and keeps its history; one that returns is the same record', async (t) => {
      const store = await backend.open(t)
      const clock = createClock()
      const service = createService(store, clock)
      const document = flat()
      await service.apply(document, COMMAND_LINE)
      clock.at += 1_000
      assert.equal((await service.apply({ ...document, devices: [] }, COMMAND_LINE)).archived, 1)
      const archived = (await store.inventory.load(document.site.siteUuid))?.devices[0]
      assert.equal(archived?.isArchived, true)
      assert.equal(archived.placements[0]?.to, NOON + 1_000)
      assert.equal((await service.export(document.site.siteUuid)).devices.length, 0)
      clock.at += 1_000
      assert.equal((await service.apply(document, COMMAND_LINE)).updated, 1)
      const back = (await store.inventory.load(document.site.siteUuid))?.devices[0]
      assert.deepEqual(back?.series, archived.series)
      assert.deepEqual(
        back.placements.map(({ to }) => to),
        [null],
      )
    })

    test('version 1 identifiers are assigned once, never change, and are unique', async (t) => {
      const store = await backend.open(t)
      const service = createService(store)
      const document = flat()
      await service.apply(document, COMMAND_LINE)
      const ids = (await service.export(document.site.siteUuid)).spaces.map(({ legacyId }) => legacyId)
      assert.equal(new Set(ids).size, 2)
      const other = flat()
      const [space] = other.spaces
      assert.ok(space)
      space.legacyId = ids[0] ?? null
      await assert.rejects(service.apply(other, COMMAND_LINE), /legacyId/)
      assert.equal(await store.inventory.version(other.site.siteUuid), undefined, 'nothing of it is kept')
    })

    test('two spaces of one document can swap their version 1 numbers', async (t) => {
      const store = await backend.open(t)
      const service = createService(store)
      await service.apply(flat(), COMMAND_LINE)
      const document = flat()
      await service.apply(document, COMMAND_LINE)
      const stored = await service.export(document.site.siteUuid)
      const [one, other] = stored.spaces
      assert.ok(one && other)
      const swapped = [
        { ...one, legacyId: other.legacyId },
        { ...other, legacyId: one.legacyId },
      ]
      assert.equal((await service.apply({ ...stored, spaces: swapped }, COMMAND_LINE)).updated, 2)
      const after = await service.export(document.site.siteUuid)
      const findId = (uuid: string) => after.spaces.find(({ spaceUuid }) => spaceUuid === uuid)?.legacyId
      assert.deepEqual([findId(one.spaceUuid), findId(other.spaceUuid)], [other.legacyId, one.legacyId])
    })

    test('the kind of a metric cannot change once it has readings', async (t) => {
      const store = await backend.open(t)
      const service = createService(store)
      const document = flat()
      await service.apply(document, COMMAND_LINE)
      const [device] = document.devices
      assert.ok(device)
      const asDelta = {
        ...document,
        devices: [
          {
            ...device,
            metrics: { electricity: { kind: 'delta' as const, registerSize: null, maxPerHour: null } },
          },
        ],
      }
      assert.equal((await service.apply(asDelta, COMMAND_LINE)).updated, 1)
      const seriesId = (await store.inventory.load(document.site.siteUuid))?.devices[0]?.series.electricity
      await store.readings.add(
        document.site.siteUuid,
        toReadingBatch([{ seriesId: seriesId ?? 0, timestamps: [NOON], values: [1] }]),
      )
      await assert.rejects(service.apply(document, COMMAND_LINE), /kind cannot change/)
    })

    test('a record belongs to one site', async (t) => {
      const store = await backend.open(t)
      const service = createService(store)
      const document = flat()
      await service.apply(document, COMMAND_LINE)
      const thief = { ...flat(), buildings: document.buildings, spaces: document.spaces, devices: [] }
      await assert.rejects(service.apply(thief, COMMAND_LINE), /belongs to another site/)
    })

    test('the time zone can change until there are readings', async (t) => {
      const store = await backend.open(t)
      const service = createService(store)
      const document = flat()
      await service.apply(document, COMMAND_LINE)
      const moved = { ...document, site: { ...document.site, timeZone: 'Asia/Kolkata' } }
      assert.equal((await service.apply(moved, COMMAND_LINE)).updated, 1)
      const seriesId = (await store.inventory.load(document.site.siteUuid))?.devices[0]?.series.electricity
      await store.readings.add(
        document.site.siteUuid,
        toReadingBatch([{ seriesId: seriesId ?? 0, timestamps: [NOON], values: [1] }]),
      )
      await assert.rejects(service.apply(document, COMMAND_LINE), /timeZone/)
    })

    test('a time zone stored in another spelling is loaded and shown in the spelling of the database, which replaces it', async (t) => {
      const store = await backend.open(t)
      const service = createService(store)
      const document = flat()
      const { siteUuid } = document.site
      const stored = { ...document, site: { ...document.site, timeZone: 'T12:34:56[europe/LONDON]' } }
      const entry = {
        at: NOON,
        actor: COMMAND_LINE,
        action: 'inventory.applied',
        target: siteUuid,
        detail: {},
      }
      await store.inventory.apply(siteUuid, stored, entry)
      const loaded = await store.inventory.load(siteUuid)
      assert.ok(loaded)
      assert.equal(createSiteModel(loaded, []).site.timeZone, 'Europe/London')
      assert.equal((await service.export(siteUuid)).site.timeZone, 'Europe/London')
      await store.readings.add(
        siteUuid,
        toReadingBatch([
          { seriesId: loaded.devices[0]?.series.electricity ?? 0, timestamps: [NOON], values: [1] },
        ]),
      )
      assert.equal((await service.apply(document, COMMAND_LINE)).updated, 1)
      assert.equal((await store.inventory.load(siteUuid))?.site.timeZone, 'Europe/London')
    })
  })
}
