import type { IngestCounter } from '../../domain/telemetry/ingest/import-counts.ts'
import type { ReadingStore } from '../../domain/telemetry/reading/store.ts'
import { retryUntilSuccess } from '../../kernel/retry.ts'
import { createMessageLanes, type FailureLog, type HandlerResult } from '../message-lanes.ts'
import { createReadingBatches } from './reading-batches.ts'
import { handleReadings, type ReadingsDeps, type ReadingsPayload } from './readings.ts'

/** A message with readings, from a device or gateway of a site. */
export interface ReadingsMessage extends ReadingsPayload {
  siteUuid: string
  senderUuid: string
}

export type ReadingsResult = Omit<HandlerResult, 'stored'>

const LOG_EVERY = 12

/**
 * Parses and validates messages with readings, and stores the valid ones. The result is available when they are
 * durable; while the store is unavailable, they are retried.
 */
export function createReadingsIntake(
  deps: Omit<ReadingsDeps, 'batches'> & {
    readings: Pick<ReadingStore, 'add'>
    counter: IngestCounter
    log: FailureLog
    /** Aborts waiting for an unavailable store. */
    signal: AbortSignal
  },
): (message: ReadingsMessage) => Promise<ReadingsResult> {
  const { readings, counter, log, signal } = deps
  const batches = createReadingBatches(
    (siteUuid, batch, onConflict) =>
      retryUntilSuccess(() => readings.add(siteUuid, batch, onConflict), {
        signal,
        onFailure: (err, failures) => {
          if (failures % LOG_EVERY === 1)
            log.error({ err, failures, siteUuid }, 'readings cannot be stored; retrying')
        },
      }),
    (result) => counter.stored(result),
  )
  const handle = handleReadings({ ...deps, batches })
  const lanes = createMessageLanes(deps)
  return async (message) => {
    const { siteUuid, senderUuid } = message
    const topic = { kind: 'readings', siteUuid, senderUuid } as const
    const { stored, ...result } = await lanes(topic, () => handle(topic, message))
    return (await stored) ?? result
  }
}
