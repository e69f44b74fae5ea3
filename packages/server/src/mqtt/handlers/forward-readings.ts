import { retryUntilSuccess } from '../../kernel/retry.ts'
import type { FailureLog } from '../message-lanes.ts'
import type { Handler } from '../message-router.ts'
import type { ReadingsMessage, ReadingsResult } from './readings-intake.ts'

/** The ingest thread, as the broker uses it. */
export interface MessageIngest {
  /** Resolves with the result of each message when their valid readings are durable. */
  store(messages: readonly ReadingsMessage[]): Promise<ReadingsResult[]>
  /** Messages that wait for an unavailable store fail from now on. */
  stopRetrying(): void
}

interface WaitingMessage {
  message: ReadingsMessage
  result: PromiseWithResolvers<ReadingsResult>
}

/**
 * Passes `…/readings` on to the ingest thread: those that arrive in one turn of the event loop together, because
 * passing them on one by one takes longer than validating them.
 */
export function forwardReadings({
  ingest,
  log,
  signal,
}: {
  ingest: Pick<MessageIngest, 'store'>
  log: FailureLog
  signal: AbortSignal
}): Handler {
  let waiting: WaitingMessage[] = []

  /** If the thread fails, its successor gets the messages immediately, so that they are not overtaken by later ones. */
  const storeUntilSuccess = async (messages: readonly ReadingsMessage[]): Promise<ReadingsResult[]> => {
    const attempt = (): Promise<ReadingsResult[]> => ingest.store(messages)
    try {
      return await attempt()
    } catch (error) {
      if (signal.aborted) throw error
      return retryUntilSuccess(attempt, {
        signal,
        onFailure: (err, failures) => log.error({ err, failures }, 'readings cannot be stored; retrying'),
      })
    }
  }

  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      const results = await storeUntilSuccess(batch.map(({ message }) => message))
      for (const [index, { result }] of batch.entries()) result.resolve(results[index] ?? {})
    } catch (error) {
      for (const { result } of batch) result.reject(error)
    }
  }

  return async ({ siteUuid, senderUuid }, { payload, isDuplicate, isRetainedCopy }) => {
    const result = Promise.withResolvers<ReadingsResult>()
    const message = { siteUuid, senderUuid, payload, isDuplicate, isRetainedCopy }
    if (waiting.push({ message, result }) === 1) setImmediate(() => void flush())
    return { stored: result.promise }
  }
}
