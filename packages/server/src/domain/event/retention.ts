import type { Clock } from '../../kernel/clock.ts'
import { repeatEvery } from '../../kernel/repeat-every.ts'
import type { EventStore } from './store.ts'

/** Events deleted in one transaction, so that writers of the site never wait for long. */
export const EVENTS_PER_DELETE = 1_000

/**
 * How many of the oldest events to delete, given when each was recorded. Only a prefix of the log is deleted, so that
 * the remaining numbers have no gaps even though the clocks of instances differ a little.
 */
export function countOlder(recordedAt: readonly number[], before: number): number {
  const newer = recordedAt.findIndex((at) => at >= before)
  return newer === -1 ? recordedAt.length : newer
}

const EVERY_MS = 60_000

/** Periodically deletes events that are older than the retention. Several instances may do so concurrently. */
export const startEventRetention = (
  store: Pick<EventStore, 'removeBefore'>,
  clock: Clock,
  retentionMs: number,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } =>
  repeatEvery(EVERY_MS, async () => void (await store.removeBefore(clock.now() - retentionMs)), onError)
