import { auditWrites } from './audit.ts'
import { closedDayWrites } from './closed-days.ts'
import { commandWrites } from './commands.ts'
import { deviceStatusWrites } from './device-statuses.ts'
import { eventWrites } from './events.ts'
import { gatewayWrites } from './gateways.ts'
import { imageWrites } from './images.ts'
import { importCountWrites } from './import-counts.ts'
import { installationWrites } from './installation.ts'
import { inventoryWrites } from './inventory.ts'
import { keyWrites } from './keys.ts'
import { lifecycleWrites } from './lifecycle.ts'
import { outboxWrites } from './outbox.ts'
import { partnerWrites } from './partners.ts'
import { presenceWrites } from './presences.ts'
import { readingWrites } from './readings.ts'
import { rejectedWrites } from './rejected.ts'
import { repairWrites } from './repair.ts'
import { serverScheduleWrites } from './server-schedules.ts'
import { sessionWrites } from './sessions.ts'
import { transferWrites } from './transfer.ts'
import { v1UsageWrites } from './v1-usage.ts'
import { webhookWrites } from './webhooks.ts'

/** Every write, grouped by port. Each takes the connection first, and runs inside the writer's transaction. */
export const WRITES = {
  installation: installationWrites,
  partners: partnerWrites,
  keys: keyWrites,
  sessions: sessionWrites,
  audit: auditWrites,
  inventory: inventoryWrites,
  gateways: gatewayWrites,
  readings: readingWrites,
  commands: commandWrites,
  outbox: outboxWrites,
  serverSchedules: serverScheduleWrites,
  presences: presenceWrites,
  events: eventWrites,
  deviceStatuses: deviceStatusWrites,
  closedDays: closedDayWrites,
  webhooks: webhookWrites,
  rejected: rejectedWrites,
  importCounts: importCountWrites,
  v1Usage: v1UsageWrites,
  lifecycle: lifecycleWrites,
  images: imageWrites,
  transfer: transferWrites,
  repair: repairWrites,
}

export type Writes = typeof WRITES
