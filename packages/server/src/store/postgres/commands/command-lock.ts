import type { Sql } from '../pool/connect.ts'

/** Whatever changes commands of a device waits here for whoever is at it, through whichever instance. */
export async function lockDevice(sql: Sql, siteUuid: string, deviceUuid: string): Promise<void> {
  await sql`
    INSERT INTO commanded_devices (site_uuid, device_uuid) VALUES (${siteUuid}, ${deviceUuid})
    ON CONFLICT (site_uuid, device_uuid) DO NOTHING`
  await lockDevices(sql, siteUuid, [deviceUuid])
}

/** Devices that have commands, in one order, so that two who lock several do not wait for each other. */
export async function lockDevices(sql: Sql, siteUuid: string, deviceUuids: readonly string[]): Promise<void> {
  await sql`
    SELECT 1 FROM commanded_devices WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${deviceUuids}::uuid[])
    ORDER BY device_uuid FOR UPDATE`
}
