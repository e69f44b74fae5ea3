import { isDeepStrictEqual } from 'node:util'
import { Conflict } from '../../inventory/conflict.ts'
import type { DeviceRecord, InventoryChanges, InventoryDevice } from '../../inventory/inventory.ts'
import { type Placement, placeDevice, removeDevice } from '../../inventory/placement.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import type { Sql } from './connect.ts'
import { claimDevices } from './identifiers.ts'
import { type MovedDevice, reopenDevices } from './reopen-devices.ts'
import { addSeries, seriesOfSite, type SiteSeries } from './series.ts'
import { seriesWithReadings } from './stored-readings.ts'

interface StoredDevice {
  record: string
  placements: readonly Placement[]
  isArchived: boolean
}

interface WrittenDevice {
  record: string
  placements: readonly Placement[]
  archivedAt: number | null
}

export async function applyDevices(
  sql: Sql,
  siteUuid: string,
  devices: readonly InventoryDevice[],
  now: number,
  changes: InventoryChanges,
): Promise<void> {
  await claimDevices(
    sql,
    siteUuid,
    devices.map(({ deviceUuid }, index) => ({ uuid: deviceUuid, legacyId: null, field: `devices.${index}` })),
  )
  const current = await storedDevices(sql, siteUuid)
  const series = await seriesOfSite(sql, siteUuid)
  await refuseChangedKinds(sql, siteUuid, devices, current, series)

  const written = new Map<string, WrittenDevice>()
  const moved: MovedDevice[] = []
  for (const { since, ...given } of devices) {
    const { deviceUuid } = given
    const stored = current.get(deviceUuid)
    current.delete(deviceUuid)
    const record = JSON.stringify(given)
    const before = stored?.placements ?? []
    const placements = placeDevice(before, given.spaceUuid, since, now)
    if (stored?.record === record && placements === before && !stored.isArchived) {
      changes.unchanged += 1
      continue
    }
    written.set(deviceUuid, { record, placements, archivedAt: null })
    if (stored && isMeasuredAnew(stored, given, placements))
      moved.push({ deviceUuid, placements: [...before, ...placements] })
    changes[stored ? 'updated' : 'created'] += 1
  }
  for (const [deviceUuid, { record, placements, isArchived }] of current) {
    if (isArchived) continue
    written.set(deviceUuid, { record, placements: removeDevice(placements, now), archivedAt: now })
    moved.push({ deviceUuid, placements })
    changes.archived += 1
  }
  await write(sql, siteUuid, written)
  await addSeries(sql, siteUuid, series, wantedSeries(written))
  await reopenDevices(sql, siteUuid, moved, now)
}

async function storedDevices(sql: Sql, siteUuid: string): Promise<Map<string, StoredDevice>> {
  const rows = await sql<
    { device_uuid: string; record: string; placements: string; archived_at: number | null }[]
  >`SELECT device_uuid, record, placements, archived_at FROM devices WHERE site_uuid = ${siteUuid}`
  return new Map(
    rows.map((row) => [
      row.device_uuid,
      {
        record: row.record,
        placements: JSON.parse(row.placements) as Placement[],
        isArchived: row.archived_at !== null,
      },
    ]),
  )
}

/** Rollups depend on where a device was and on what its readings mean: when that changes, they are made anew. */
const isMeasuredAnew = (
  stored: StoredDevice,
  { metrics }: DeviceRecord,
  placements: readonly Placement[],
): boolean =>
  !isDeepStrictEqual(stored.placements, placements) || !isDeepStrictEqual(metricsOf(stored), metrics)

const metricsOf = ({ record }: StoredDevice): DeviceRecord['metrics'] =>
  (JSON.parse(record) as DeviceRecord).metrics

/** A series for each metric of each device that is there, and of every space it is or was in. */
const wantedSeries = (written: ReadonlyMap<string, WrittenDevice>) =>
  [...written]
    .filter(([, { archivedAt }]) => archivedAt === null)
    .flatMap(([deviceUuid, { record, placements }]) => {
      const metrics = Object.keys((JSON.parse(record) as DeviceRecord).metrics)
      const subjects = [deviceUuid, ...placements.map(({ spaceUuid }) => spaceUuid)]
      return subjects.flatMap((subject) => metrics.map((metric) => ({ subject, metric })))
    })

/** Readings of a register are no deltas: another kind would make all of them mean something else. */
async function refuseChangedKinds(
  sql: Sql,
  siteUuid: string,
  devices: readonly InventoryDevice[],
  current: ReadonlyMap<string, StoredDevice>,
  series: SiteSeries,
): Promise<void> {
  const fields = new Map<number, string>()
  devices.forEach(({ deviceUuid, metrics }, index) => {
    const stored = current.get(deviceUuid)
    if (!stored) return
    const known = metricsOf(stored)
    for (const [metric, { kind }] of Object.entries(metrics)) {
      const name = metric as MeasuredMetric
      const seriesId = series.get(deviceUuid)?.[name]
      if (known[name] && known[name].kind !== kind && seriesId !== undefined)
        fields.set(seriesId, `devices.${index}.metrics.${metric}.kind`)
    }
  })
  if (fields.size === 0) return
  const [measured] = await seriesWithReadings(sql, siteUuid, [...fields.keys()])
  if (measured !== undefined)
    throw new Conflict(fields.get(measured) ?? 'devices', 'cannot change once there are readings')
}

async function write(sql: Sql, siteUuid: string, written: ReadonlyMap<string, WrittenDevice>): Promise<void> {
  const rows = [...written.values()]
  await sql`
    INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at)
    VALUES (${siteUuid}, unnest(${[...written.keys()]}::uuid[]), unnest(${rows.map(({ record }) => record)}::text[]),
      unnest(${rows.map(({ placements }) => JSON.stringify(placements))}::text[]),
      unnest(${rows.map(({ archivedAt }) => archivedAt)}::bigint[]))
    ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
      archived_at = excluded.archived_at`
}
