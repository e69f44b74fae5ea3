import type { DatabaseSync } from 'node:sqlite'
import { decideStatuses } from '../../../domain/telemetry/device-status/reported-status.ts'
import type { DeviceStatusStore } from '../../../domain/telemetry/device-status/store.ts'
import { prepareOnce } from '../connect.ts'
import { listStatuses, putStatus } from '../events/device-status-rows.ts'
import { appendEvents } from '../events/event-rows.ts'

type Change = Parameters<DeviceStatusStore['update']>[1]

export const deviceStatusWrites = {
  update(db: DatabaseSync, siteUuid: string, { observed, removed, isFirst }: Change, now: number): void {
    for (const deviceUuid of removed)
      prepareOnce(db, 'DELETE FROM device_statuses WHERE site_uuid = ? AND device_uuid = ?').run(
        siteUuid,
        deviceUuid,
      )
    const { written, events } = decideStatuses(listStatuses(db, siteUuid), observed, now, isFirst)
    for (const [deviceUuid, status] of written) putStatus(db, siteUuid, deviceUuid, status)
    appendEvents(db, siteUuid, events)
  },
}
