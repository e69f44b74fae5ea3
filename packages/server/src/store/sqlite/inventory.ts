import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../audit/audit.ts'
import type {
  BuildingRecord,
  DeviceRecord,
  InventoryChanges,
  InventoryDevice,
  InventoryDocument,
  SiteRecord,
  SpaceRecord,
} from '../../inventory/inventory.ts'
import { type Placement, placeDevice, removeDevice } from '../../inventory/placement.ts'
import type { ApplyOutcome, InventoryStore, StoredDevice } from '../../inventory/store.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { recordAudit } from './audit.ts'
import { prepared } from './connect.ts'
import { reading } from './failure.ts'
import { integer, integerOrNull, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

/** Thrown inside a write to undo it; becomes the outcome. */
class Conflict extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

export const inventoryWrites = {
  applyInventory(db: DatabaseSync, document: InventoryDocument, entry: AuditEntry): ApplyOutcome {
    db.exec('SAVEPOINT apply_inventory')
    try {
      const changes = apply(db, document, entry.at)
      if (changes.created + changes.updated + changes.archived > 0) {
        prepared(db, 'UPDATE sites SET inventory_version = inventory_version + 1 WHERE site_uuid = ?').run(
          document.site.siteUuid,
        )
        recordAudit(db, { ...entry, detail: { ...entry.detail, ...changes } })
      }
      db.exec('RELEASE apply_inventory')
      return { outcome: 'applied', changes }
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      db.exec('ROLLBACK TO apply_inventory')
      db.exec('RELEASE apply_inventory')
      return { outcome: 'conflict', field: error.field, message: error.message }
    }
  },
}

function apply(
  db: DatabaseSync,
  { site, buildings, spaces, devices }: InventoryDocument,
  now: number,
): InventoryChanges {
  const changes: InventoryChanges = { created: 0, updated: 0, archived: 0, unchanged: 0 }
  applySite(db, site, changes)
  applyRecords(
    db,
    'buildings',
    'building_uuid',
    site.siteUuid,
    buildings,
    ({ buildingUuid }) => buildingUuid,
    now,
    changes,
  )
  applyRecords(db, 'spaces', 'space_uuid', site.siteUuid, spaces, ({ spaceUuid }) => spaceUuid, now, changes)
  applyDevices(db, site.siteUuid, devices, now, changes)
  return changes
}

function applySite(db: DatabaseSync, site: SiteRecord, changes: InventoryChanges): void {
  const row = prepared(db, 'SELECT * FROM sites WHERE site_uuid = ?').get(site.siteUuid)
  const legacyId = legacyIdFor(db, 'sites', 'site_uuid', site.siteUuid, site.legacyId, row, 'site')
  const record = JSON.stringify({ ...site, legacyId })
  if (row && text(row, 'record') === record) {
    changes.unchanged += 1
    return
  }
  if (row && text(row, 'time_zone') !== site.timeZone && hasReadings(db, site.siteUuid)) {
    throw new Conflict('site.timeZone', 'cannot change once there are readings')
  }
  prepared(
    db,
    `INSERT INTO sites (site_uuid, site_name, time_zone, sandbox, legacy_id, record) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (site_uuid) DO UPDATE SET site_name = excluded.site_name, time_zone = excluded.time_zone,
       sandbox = excluded.sandbox, legacy_id = excluded.legacy_id, record = excluded.record`,
  ).run(site.siteUuid, site.siteName, site.timeZone, site.sandbox ? 1 : 0, legacyId, record)
  changes[row ? 'updated' : 'created'] += 1
}

const hasReadings = (db: DatabaseSync, siteUuid: string): boolean =>
  prepared(db, 'SELECT 1 FROM series JOIN latest_readings USING (series_id) WHERE site_uuid = ? LIMIT 1').get(
    siteUuid,
  ) !== undefined

/** Buildings and spaces: a record with a legacy id each. */
function applyRecords<T extends BuildingRecord | SpaceRecord>(
  db: DatabaseSync,
  table: 'buildings' | 'spaces',
  key: 'building_uuid' | 'space_uuid',
  siteUuid: string,
  records: readonly T[],
  uuidOf: (record: T) => string,
  now: number,
  changes: InventoryChanges,
): void {
  const current = rowsBy(db, table, key, siteUuid)
  const reserved = new Set(records.flatMap(({ legacyId }) => legacyId ?? []))
  parkChangedIds(db, table, key, records, uuidOf, current)
  records.forEach((given, index) => {
    const uuid = uuidOf(given)
    const row = current.get(uuid)
    current.delete(uuid)
    refuseForeign(db, table, key, siteUuid, uuid, `${table}.${index}`)
    const legacyId = legacyIdFor(db, table, key, uuid, given.legacyId, row, `${table}.${index}`, reserved)
    const record = JSON.stringify({ ...given, legacyId })
    if (row && text(row, 'record') === record && row['archived_at'] === null) {
      changes.unchanged += 1
      return
    }
    prepared(
      db,
      `INSERT INTO ${table} (site_uuid, ${key}, legacy_id, record, archived_at) VALUES (?, ?, ?, ?, NULL)
       ON CONFLICT (site_uuid, ${key}) DO UPDATE SET legacy_id = excluded.legacy_id, record = excluded.record,
         archived_at = NULL`,
    ).run(siteUuid, uuid, legacyId, record)
    changes[row ? 'updated' : 'created'] += 1
  })
  archiveRest(db, table, key, siteUuid, current, now, changes)
}

/** Two records of one document may exchange their numbers: those that change are out of the way first. */
function parkChangedIds<T extends BuildingRecord | SpaceRecord>(
  db: DatabaseSync,
  table: 'buildings' | 'spaces',
  key: 'building_uuid' | 'space_uuid',
  records: readonly T[],
  uuidOf: (record: T) => string,
  current: ReadonlyMap<string, Row>,
): void {
  for (const record of records) {
    const row = current.get(uuidOf(record))
    if (!row || record.legacyId === null || record.legacyId === integer(row, 'legacy_id')) continue
    prepared(db, `UPDATE ${table} SET legacy_id = -legacy_id WHERE ${key} = ?`).run(uuidOf(record))
  }
}

function applyDevices(
  db: DatabaseSync,
  siteUuid: string,
  devices: readonly InventoryDevice[],
  now: number,
  changes: InventoryChanges,
): void {
  const current = rowsBy(db, 'devices', 'device_uuid', siteUuid)
  devices.forEach(({ since, ...given }, index) => {
    const row = current.get(given.deviceUuid)
    current.delete(given.deviceUuid)
    refuseForeign(db, 'devices', 'device_uuid', siteUuid, given.deviceUuid, `devices.${index}`)
    const record = JSON.stringify(given)
    if (row && text(row, 'record') !== record)
      refuseChangedKinds(db, siteUuid, row, given, `devices.${index}`)
    const before = row ? placementsOf(row) : []
    const after = placeDevice(before, given.spaceUuid, since, now)
    if (row && text(row, 'record') === record && after === before && row['archived_at'] === null) {
      changes.unchanged += 1
      return
    }
    prepared(
      db,
      `INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at) VALUES (?, ?, ?, ?, NULL)
       ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
         archived_at = NULL`,
    ).run(siteUuid, given.deviceUuid, record, JSON.stringify(after))
    for (const metric of Object.keys(given.metrics)) {
      prepared(
        db,
        'INSERT INTO series (site_uuid, device_uuid, metric) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      ).run(siteUuid, given.deviceUuid, metric)
    }
    changes[row ? 'updated' : 'created'] += 1
  })
  for (const row of current.values()) {
    if (row['archived_at'] !== null) continue
    prepared(db, 'UPDATE devices SET placements = ? WHERE site_uuid = ? AND device_uuid = ?').run(
      JSON.stringify(removeDevice(placementsOf(row), now)),
      siteUuid,
      text(row, 'device_uuid'),
    )
  }
  archiveRest(db, 'devices', 'device_uuid', siteUuid, current, now, changes)
}

/** Readings of a register are no deltas: another kind would make all of them mean something else. */
function refuseChangedKinds(
  db: DatabaseSync,
  siteUuid: string,
  row: Row,
  { deviceUuid, metrics }: DeviceRecord,
  field: string,
): void {
  const before = (JSON.parse(text(row, 'record')) as DeviceRecord).metrics
  for (const [metric, spec] of Object.entries(metrics)) {
    const known = before[metric as MeasuredMetric]
    if (!known || known.kind === spec.kind) continue
    const hasReadings = prepared(
      db,
      `SELECT 1 FROM series JOIN latest_readings USING (series_id)
       WHERE site_uuid = ? AND device_uuid = ? AND metric = ?`,
    ).get(siteUuid, deviceUuid, metric)
    if (hasReadings)
      throw new Conflict(`${field}.metrics.${metric}.kind`, 'cannot change once there are readings')
  }
}

function archiveRest(
  db: DatabaseSync,
  table: string,
  key: string,
  siteUuid: string,
  rest: ReadonlyMap<string, Row>,
  now: number,
  changes: InventoryChanges,
): void {
  for (const [uuid, row] of rest) {
    if (row['archived_at'] !== null) continue
    prepared(db, `UPDATE ${table} SET archived_at = ? WHERE site_uuid = ? AND ${key} = ?`).run(
      now,
      siteUuid,
      uuid,
    )
    changes.archived += 1
  }
}

const rowsBy = (db: DatabaseSync, table: string, key: string, siteUuid: string): Map<string, Row> =>
  new Map(
    prepared(db, `SELECT * FROM ${table} WHERE site_uuid = ?`)
      .all(siteUuid)
      .map((row) => [text(row, key), row]),
  )

function refuseForeign(
  db: DatabaseSync,
  table: string,
  key: string,
  siteUuid: string,
  uuid: string,
  field: string,
): void {
  const foreign = prepared(db, `SELECT 1 FROM ${table} WHERE ${key} = ? AND site_uuid <> ?`).get(
    uuid,
    siteUuid,
  )
  if (foreign) throw new Conflict(`${field}.${camel(key)}`, 'belongs to another site')
}

const HIGHEST_LEGACY_ID = 2_147_483_647

/** The number given, else the one it has, else a free one. */
function legacyIdFor(
  db: DatabaseSync,
  table: string,
  key: string,
  uuid: string,
  given: number | null,
  row: Row | undefined,
  field: string,
  reserved: ReadonlySet<number> = new Set(),
): number {
  if (given === null) return row ? integer(row, 'legacy_id') : freeLegacyId(db, table, reserved)
  const taken = prepared(db, `SELECT 1 FROM ${table} WHERE legacy_id = ? AND ${key} <> ?`).get(given, uuid)
  if (taken) throw new Conflict(`${field}.legacyId`, 'is used by another')
  return given
}

/** The next after the highest; where somebody took the very last, the first gap. `reserved` is given further on. */
function freeLegacyId(db: DatabaseSync, table: string, reserved: ReadonlySet<number>): number {
  const used = new Set(reserved)
  for (const row of prepared(db, `SELECT legacy_id FROM ${table}`).all()) used.add(integer(row, 'legacy_id'))
  const next = used.size === 0 ? 1 : [...used].reduce((highest, id) => Math.max(highest, id)) + 1
  if (next <= HIGHEST_LEGACY_ID) return next
  let gap = 1
  while (used.has(gap)) gap += 1
  return gap
}

const camel = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const placementsOf = (row: Row): Placement[] => JSON.parse(text(row, 'placements')) as Placement[]

const recordOf = <T>(row: Row): { record: T; isArchived: boolean } => ({
  record: JSON.parse(text(row, 'record')) as T,
  isArchived: integerOrNull(row, 'archived_at') !== null,
})

export const sqliteInventory = (reader: () => DatabaseSync, writer: Writer): InventoryStore => ({
  apply: (_siteUuid, document, entry) => writer.run('applyInventory', document, entry),
  version: (siteUuid) =>
    reading(() => {
      const row = prepared(reader(), 'SELECT inventory_version FROM sites WHERE site_uuid = ?').get(siteUuid)
      return row && integer(row, 'inventory_version')
    }),
  siteOfDevice: (deviceUuid) =>
    reading(() => {
      const row = prepared(
        reader(),
        'SELECT site_uuid FROM devices WHERE device_uuid = ? AND archived_at IS NULL',
      ).get(deviceUuid)
      return row && text(row, 'site_uuid')
    }),
  load: (siteUuid) =>
    reading(() => {
      const db = reader()
      const site = prepared(db, 'SELECT * FROM sites WHERE site_uuid = ?').get(siteUuid)
      if (!site) return undefined
      const all = (table: string): Row[] =>
        prepared(db, `SELECT * FROM ${table} WHERE site_uuid = ?`).all(siteUuid)
      return {
        version: integer(site, 'inventory_version'),
        site: JSON.parse(text(site, 'record')) as SiteRecord,
        buildings: all('buildings').map((row) => recordOf<BuildingRecord>(row)),
        spaces: all('spaces').map((row) => recordOf<SpaceRecord>(row)),
        devices: devicesFrom(all('devices'), all('series')),
      }
    }),
})

function devicesFrom(devices: Row[], series: Row[]): StoredDevice[] {
  const seriesOf = new Map<string, StoredDevice['series']>()
  for (const row of series) {
    const device = text(row, 'device_uuid')
    const known = seriesOf.get(device) ?? {}
    known[text(row, 'metric') as MeasuredMetric] = integer(row, 'series_id')
    seriesOf.set(device, known)
  }
  return devices.map((row) => ({
    ...recordOf<DeviceRecord>(row),
    placements: placementsOf(row),
    series: seriesOf.get(text(row, 'device_uuid')) ?? {},
  }))
}
