import type { Sql } from '../pool/connect.ts'

/** Serialises changes of a device's commands over all instances. */
export async function lockDevice(sql: Sql, siteUuid: string, deviceUuid: string): Promise<void> {
  await sql`
    INSERT INTO commanded_devices (site_uuid, device_uuid) VALUES (${siteUuid}, ${deviceUuid})
    ON CONFLICT (site_uuid, device_uuid) DO NOTHING`
  await lockDevices(sql, siteUuid, [deviceUuid])
}

/** Locks devices that have commands in a fixed order, so that two transactions cannot deadlock. */
export async function lockDevices(sql: Sql, siteUuid: string, deviceUuids: readonly string[]): Promise<void> {
  await sql`
    SELECT 1 FROM commanded_devices WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${deviceUuids}::uuid[])
    ORDER BY device_uuid FOR UPDATE`
}
