import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  Conflict,
  decideAdded,
  decideNumbers,
  needsFreeNumber,
} from '../../../../../src/domain/estate/inventory/decide-identifiers.ts'
import {
  decideDevices,
  findChangedKinds,
  type StoredDeviceRow,
} from '../../../../../src/domain/estate/inventory/decide-devices.ts'
import {
  decideRecords,
  decideSite,
  type StoredRecord,
} from '../../../../../src/domain/estate/inventory/decide-records.ts'
import type { BuildingRecord, InventoryDevice } from '../../../../../src/domain/estate/inventory/inventory.ts'
import { DELTA, makeSmallSite, REGISTER } from '../../../../support/small-site.ts'
import { NOON } from '../../../../support/seed.ts'

const UUIDS = ['a', 'b', 'c', 'd', 'e']
const SITE = 'site'

/** Entries with distinct UUIDs and distinct numbers, some without a number. */
const entries = fc
  .record({
    uuids: fc.subarray(UUIDS),
    numbers: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 5, maxLength: 5 }),
    gaps: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  })
  .map(({ uuids, numbers, gaps }) =>
    uuids.map((uuid, index) => ({
      uuid,
      legacyId: gaps[index] === true ? null : (numbers[index] ?? null),
      field: `buildings.${index}`,
    })),
  )

/** Identifiers with distinct numbers, some from another site. */
const known = fc
  .record({
    uuids: fc.subarray([...UUIDS, 'x', 'y']),
    numbers: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 7, maxLength: 7 }),
    foreign: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  })
  .map(({ uuids, numbers, foreign }) =>
    uuids.map((uuid, index) => ({
      uuid,
      siteUuid: foreign[index] === true && uuid > 'd' ? 'another' : SITE,
      legacyId: numbers[index] ?? null,
    })),
  )

describe('version 1 numbers', () => {
  test('after the highest possible one, the gaps are assigned', () => {
    const requested = ['a', 'b', 'c'].map((uuid) => ({ uuid, legacyId: null, field: uuid }))
    const used = [1, 3, 2_147_483_646].map((number) => ({ uuid: `used ${number}`, number }))
    const { numbers } = decideNumbers(SITE, 'building', requested, [], used)
    assert.deepEqual([...numbers.values()], [2_147_483_647, 2, 4])
  })

  test('are the given ones, else the existing ones, else free ones; all are distinct', () => {
    fc.assert(
      fc.property(entries, known, (requested, stored) => {
        const used = stored.flatMap(({ uuid, legacyId }) =>
          legacyId === null ? [] : [{ uuid, number: legacyId }],
        )
        const before = new Map(stored.map(({ uuid, legacyId }) => [uuid, legacyId]))
        const given = new Map(requested.map(({ uuid, legacyId }) => [uuid, legacyId]))
        const isForeign = requested.some(({ uuid }) =>
          stored.some((one) => one.uuid === uuid && one.siteUuid !== SITE),
        )
        const isAllowed = requested.some(({ uuid, legacyId }) => {
          const holder = stored.find((one) => one.legacyId === legacyId && one.uuid !== uuid)
          return (
            legacyId !== null && holder !== undefined && (given.get(holder.uuid) ?? legacyId) === legacyId
          )
        })
        if (isForeign || isAllowed) {
          assert.throws(() => decideNumbers(SITE, 'building', requested, stored, used), Conflict)
          return
        }
        const { numbers, renumbered, added } = decideNumbers(SITE, 'building', requested, stored, used)
        for (const { uuid, legacyId } of requested)
          assert.equal(numbers.get(uuid), legacyId ?? before.get(uuid) ?? numbers.get(uuid))
        assert.deepEqual(
          added,
          requested.map(({ uuid }) => uuid).filter((uuid) => !before.has(uuid)),
        )
        assert.deepEqual(
          new Map(renumbered),
          new Map([...numbers].filter(([uuid, number]) => before.has(uuid) && before.get(uuid) !== number)),
        )
        const after = new Map([...before, ...numbers])
        assert.equal(new Set(after.values()).size, after.size)
        const isFree = requested.some(({ uuid, legacyId }) => legacyId === null && !before.has(uuid))
        assert.equal(needsFreeNumber(requested, stored), isFree)
      }),
    )
  })

  test('devices have none, and a number of another site is rejected, naming its field', () => {
    const requested = [{ uuid: 'a', legacyId: null, field: 'devices.0' }]
    assert.deepEqual(decideAdded(SITE, 'device', requested, []), ['a'])
    assert.throws(
      () => decideAdded(SITE, 'device', requested, [{ uuid: 'a', siteUuid: 'another', legacyId: null }]),
      (error) => error instanceof Conflict && error.field === 'devices.0.deviceUuid',
    )
  })
})

describe('a site', () => {
  const { site } = makeSmallSite('Europe/London', 0, [])
  const stored = { timeZone: 'Europe/London', record: JSON.stringify({ ...site, legacyId: 7 }) }

  test('is created, unchanged or updated', () => {
    assert.equal(decideSite(site, 7, undefined, false).outcome, 'created')
    assert.equal(decideSite(site, 7, stored, true).outcome, 'unchanged')
    assert.equal(decideSite(site, 8, stored, true).outcome, 'updated')
  })

  test('cannot change its time zone once it has readings', () => {
    const moved = { ...site, timeZone: 'Europe/Paris' }
    assert.equal(decideSite(moved, 7, stored, false).outcome, 'updated')
    assert.throws(() => decideSite(moved, 7, stored, true), Conflict)
  })
})

test('buildings match the document after applying it, and applying it again changes nothing', () => {
  const building = (uuid: string, name: string): BuildingRecord => ({
    buildingUuid: uuid,
    buildingName: name,
    legacyId: null,
  })
  const toUuid = ({ buildingUuid }: BuildingRecord): string => buildingUuid
  const numbers = new Map(UUIDS.map((uuid, index) => [uuid, index + 1]))
  const documents = fc.array(fc.record({ uuids: fc.subarray(UUIDS), name: fc.constantFrom('One', 'Two') }), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(documents, (all) => {
      const stored = new Map<string, StoredRecord>()
      for (const { uuids, name } of all) {
        const records = uuids.map((uuid) => building(uuid, name))
        const alive = [...stored].filter(([, { isArchived }]) => !isArchived).map(([uuid]) => uuid)
        const { written, archived, changes } = decideRecords(records, toUuid, numbers, stored)
        assert.deepEqual(archived.toSorted(), alive.filter((uuid) => !uuids.includes(uuid)).toSorted())
        assert.equal(changes.created, uuids.filter((uuid) => !stored.has(uuid)).length)
        assert.equal(changes.created + changes.updated + changes.unchanged, uuids.length)
        for (const [uuid, record] of written) stored.set(uuid, { record, isArchived: false })
        for (const uuid of archived)
          stored.set(uuid, { record: stored.get(uuid)?.record ?? '', isArchived: true })
        const again = decideRecords(records, toUuid, numbers, stored)
        assert.deepEqual([again.written.size, again.archived.length], [0, 0])
      }
    }),
  )
})

test('devices match the document after applying it, with their series, and applying it again changes nothing', () => {
  const document = makeSmallSite('Etc/UTC', 3, [
    { space: 0, metrics: { electricity: REGISTER } },
    { space: 1, metrics: { electricity: REGISTER, water: DELTA } },
    { space: 2, metrics: {} },
  ])
  const spaces = document.spaces.map(({ spaceUuid }) => spaceUuid)
  const steps = fc.array(
    fc.record({
      present: fc.subarray([0, 1, 2]),
      moves: fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(steps, (all) => {
      const stored = new Map<string, StoredDeviceRow>()
      all.forEach(({ present, moves }, round) => {
        const now = NOON + round * 1_000
        const devices = present.map((index): InventoryDevice => {
          const device = document.devices[index] ?? assert.fail()
          return { ...device, spaceUuid: spaces[moves[index] ?? 0] ?? '' }
        })
        const before = new Map(stored)
        const { written, series, moved, changes } = decideDevices(devices, stored, now)
        for (const [uuid, { archivedAt, ...row }] of written)
          stored.set(uuid, { ...row, isArchived: archivedAt !== null })
        for (const { deviceUuid, spaceUuid, metrics } of devices) {
          const row = stored.get(deviceUuid) ?? assert.fail()
          assert.deepEqual(
            [row.isArchived, row.placements.at(-1)?.spaceUuid, row.placements.at(-1)?.to],
            [false, spaceUuid, null],
          )
          if (!written.has(deviceUuid)) continue
          for (const metric of Object.keys(metrics))
            for (const subject of [deviceUuid, ...row.placements.map((placement) => placement.spaceUuid)])
              assert.ok(series.some((one) => one.subject === subject && one.metric === metric))
        }
        const named = new Set(devices.map(({ deviceUuid }) => deviceUuid))
        for (const [uuid, { isArchived, placements }] of before) {
          if (named.has(uuid) || isArchived) continue
          assert.equal(stored.get(uuid)?.isArchived, true)
          const own = moved.find((one) => one.deviceUuid === uuid)
          for (const placement of placements) assert.ok(own?.placements.includes(placement))
        }
        assert.equal(changes.created + changes.updated + changes.archived, written.size)
        const again = decideDevices(devices, stored, now + 500)
        assert.deepEqual([again.written.size, again.moved.length], [0, 0])
      })
    }),
  )
})

describe('rollups are invalidated', () => {
  const [a, b] = ['space a', 'space b']
  const { devices } = makeSmallSite('Etc/UTC', 1, [
    { space: 0, metrics: { electricity: REGISTER } },
    { space: 0, metrics: { electricity: REGISTER } },
    { space: 0, metrics: { electricity: REGISTER } },
  ])
  const [main = assert.fail(), middle = assert.fail(), plug = assert.fail()] = devices
  /** The main meter, a meter below it and a plug below that, with the fields given. */
  const chain = (fields: Partial<InventoryDevice> = {}, below: Partial<InventoryDevice> = {}) => [
    { ...main, spaceUuid: a, ...fields },
    { ...middle, spaceUuid: a, submeterOf: main.deviceUuid, ...below },
    { ...plug, spaceUuid: b, submeterOf: middle.deviceUuid },
  ]
  /** Names of the devices whose rollups a second document invalidates. */
  const findMoved = (next: InventoryDevice[], first: InventoryDevice[] = chain()): string[] => {
    const { written } = decideDevices(first, new Map(), NOON)
    const stored = new Map([...written].map(([uuid, row]) => [uuid, { ...row, isArchived: false }]))
    const { moved } = decideDevices(next, stored, NOON + 1_000)
    return devices
      .filter(({ deviceUuid }) => moved.some((one) => one.deviceUuid === deviceUuid))
      .map(({ deviceName }) => deviceName)
  }
  const [all, lower] = [devices.map(({ deviceName }) => deviceName), [middle.deviceName, plug.deviceName]]

  test('of every sub-meter below a meter that moves or measures something else', () => {
    assert.deepEqual(findMoved(chain()), [])
    assert.deepEqual(findMoved(chain({ deviceName: 'Another' })), [])
    assert.deepEqual(findMoved(chain({ spaceUuid: b })), all)
    assert.deepEqual(findMoved(chain({ metrics: { electricity: REGISTER, water: DELTA } })), all)
    assert.deepEqual(findMoved(chain({}, { spaceUuid: b })), lower)
  })

  test('of a device whose meter changes, and of the sub-meters below it', () => {
    const { submeterOf: _, ...free } = chain()[1] ?? assert.fail()
    const parted = [chain()[0] ?? assert.fail(), free, chain()[2] ?? assert.fail()]
    assert.deepEqual(findMoved(parted), lower)
    assert.deepEqual(findMoved(chain(), parted), lower)
  })

  test('of the sub-meters of a meter that is removed, as they were', () => {
    const { submeterOf: _, ...rest } = plug
    assert.deepEqual(findMoved([{ ...rest, spaceUuid: b }]), all)
  })
})

test('a changed metric kind is detected in a stored device', () => {
  const { devices } = makeSmallSite('Etc/UTC', 1, [
    { space: 0, metrics: { electricity: REGISTER, water: DELTA } },
  ])
  const [{ since: _, ...device } = assert.fail()] = devices
  const stored = new Map([
    [device.deviceUuid, { record: JSON.stringify(device), placements: [], isArchived: false }],
  ])
  assert.deepEqual(findChangedKinds(devices, stored), [])
  const changed = [{ ...device, since: null, metrics: { electricity: DELTA, water: DELTA } }]
  assert.deepEqual(findChangedKinds(changed, stored), [
    { deviceUuid: device.deviceUuid, metric: 'electricity', field: 'devices.0.metrics.electricity.kind' },
  ])
  assert.deepEqual(findChangedKinds(changed, new Map()), [])
})
