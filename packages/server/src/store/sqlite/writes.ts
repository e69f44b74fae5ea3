import type { DatabaseSync } from 'node:sqlite'
import { commandWrites } from './command-writes.ts'
import { gatewayWrites } from './gateways.ts'
import { imageWrites } from './images.ts'
import { installationWrites } from './installation.ts'
import { inventoryWrites } from './inventory-writes.ts'
import { keyWrites } from './keys.ts'
import { lifecycleWrites } from './lifecycle.ts'
import { outboxWrites } from './outbox.ts'
import { partnerWrites } from './partners.ts'
import { playerWrites } from './players.ts'
import { readingWrites } from './reading-writes.ts'
import { presenceWrites } from './presences.ts'
import { rejectedWrites } from './rejected.ts'
import { repairWrites } from './repair.ts'
import { transferWrites } from './transfer-writes.ts'
import { v1UsageWrites } from './v1-usage.ts'

/** Everything the writer can do. Each is one function of the connection, run inside the writer's transaction. */
export const WRITES = {
  ...installationWrites,
  ...partnerWrites,
  ...keyWrites,
  ...inventoryWrites,
  ...gatewayWrites,
  ...readingWrites,
  ...commandWrites,
  ...outboxWrites,
  ...playerWrites,
  ...presenceWrites,
  ...rejectedWrites,
  ...v1UsageWrites,
  ...lifecycleWrites,
  ...imageWrites,
  ...transferWrites,
  ...repairWrites,
}

export type Writes = typeof WRITES

export type WriteName = keyof Writes

export type WriteArguments<N extends WriteName> =
  Parameters<Writes[N]> extends [DatabaseSync, ...infer Rest] ? Rest : never

export type WriteResult<N extends WriteName> = ReturnType<Writes[N]>
