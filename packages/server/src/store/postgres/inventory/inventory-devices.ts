import type { DeviceDecision } from '../../../domain/estate/inventory/decide-devices.ts'
import type { Sql } from '../pool/connect.ts'
import { reopenDevices } from '../rollups/invalidate-devices.ts'
import { addSeries, type SiteSeries } from './series.ts'

export async function writeDevices(
  sql: Sql,
  siteUuid: string,
  { written, series, moved }: DeviceDecision,
  known: SiteSeries,
  now: number,
): Promise<void> {
  const rows = [...written.values()]
  await sql`
    INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at)
    VALUES (${siteUuid}, unnest(${[...written.keys()]}::uuid[]), unnest(${rows.map(({ record }) => record)}::text[]),
      unnest(${rows.map(({ placements }) => JSON.stringify(placements))}::text[]),
      unnest(${rows.map(({ archivedAt }) => archivedAt)}::bigint[]))
    ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
      archived_at = excluded.archived_at`
  await addSeries(sql, siteUuid, known, series)
  await reopenDevices(sql, siteUuid, moved, now)
}
