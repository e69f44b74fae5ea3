import type { DatabaseSync } from 'node:sqlite'
import type { DeviceStatusStore } from '../../../domain/telemetry/device-status/store.ts'
import { translateErrors } from '../failure.ts'
import { type BoundWrites, withWrites } from '../writer.ts'
import { listStatuses } from './device-status-rows.ts'

export const sqliteDeviceStatuses = (
  reader: () => DatabaseSync,
  writes: BoundWrites<'deviceStatuses'>,
): DeviceStatusStore =>
  withWrites<DeviceStatusStore, 'deviceStatuses'>(writes, {
    list: async (siteUuid) => translateErrors(() => listStatuses(reader(), siteUuid)),
  })
