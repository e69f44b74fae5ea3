import type { CommandState } from '../domain/control/command/command.ts'

/** Webhooks by state; failing ones are enabled, and their endpoint accepts nothing. */
export interface WebhookCounts {
  enabled: number
  failing: number
  disabled: number
}

/** Counts for the operator. Each is read with an index, so none depends on the number of readings. */
export interface StoreStatistics {
  siteUuids: string[]
  /** Readings that are not in packed days yet. */
  journalReadings: number
  /** Entries of the rollup queue that are due. */
  queuedRollups: number
  /** When the first of them became due; undefined if there is none. */
  rollupDueSince: number | undefined
  /** Commands that are not in a final state, by state. */
  unfinishedCommands: { state: CommandState; count: number; oldestAt: number }[]
  /** Commands that reached a final state since the requested instant, by state. */
  finishedCommands: { state: CommandState; count: number }[]
  /** Messages that are to be sent to devices. */
  outboxMessages: number
  /** When the oldest of them was created; undefined if there is none. */
  outboxOldestAt: number | undefined
  webhooks: WebhookCounts
  /** Deliveries to webhooks that have not succeeded yet. */
  waitingDeliveries: number
  /** When the oldest of them was created; undefined if there is none. */
  deliveryOldestAt: number | undefined
  /** Size of the database. */
  bytes: number
  /** Free space of the disk; undefined if the database is on another machine. */
  freeBytes: number | undefined
}
