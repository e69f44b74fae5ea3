import type { Placement } from '../../inventory/placement.ts'
import type { Sql } from './connect.ts'

export interface MovedDevice {
  deviceUuid: string
  /** Where it is, or was before. */
  placements: readonly Placement[]
}

/** All days of the devices and of the spaces they are or were in are rolled up anew. */
export async function reopenDevices(
  _sql: Sql,
  _siteUuid: string,
  _moved: readonly MovedDevice[],
  _now: number,
): Promise<void> {}
