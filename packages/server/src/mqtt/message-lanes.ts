import { createKeyedQueue } from '../kernel/concurrency.ts'
import { retryUntilSuccess } from '../kernel/retry.ts'
import type { Rejection } from '../domain/telemetry/reading/validate.ts'
import type { Topic } from './topics.ts'

export interface HandlerResult {
  rejection?: Rejection
  /** Whether some of the records were valid. */
  isPartial?: boolean
  /** A write to await before the acknowledgement; messages behind this one are validated meanwhile. */
  stored?: Promise<Omit<HandlerResult, 'stored'> | undefined> | undefined
}

/** The part of a log that a thread can have, too. */
export interface FailureLog {
  error(fields: object, message: string): void
}

/** Runs a handler for a message on a topic. */
export type MessageLanes = (topic: Topic, handle: () => Promise<HandlerResult>) => Promise<HandlerResult>

const FAILED = { code: 'failed', message: 'The server failed to process the message; see its log.' }
/** Logs the first failure of a message and then every twelfth, about one per minute. */
const LOG_EVERY = 12

/**
 * Messages of one device are processed in the order of their arrival, and each is retried while the store is
 * unavailable. The site is part of the key, so that messages in which an account of another site names the device do
 * not delay it.
 */
export function createMessageLanes({
  log,
  signal,
}: {
  log: FailureLog
  /** Aborts waiting for an unavailable store. */
  signal: AbortSignal
}): MessageLanes {
  const lanes = createKeyedQueue()

  const onFailure = (err: unknown, failures: number): void => {
    if (failures % LOG_EVERY === 1) log.error({ err, failures }, 'an MQTT message cannot be stored; retrying')
  }

  /** A programming error would fail forever and block all later messages: the message is rejected instead. */
  const attempt = async (handle: () => Promise<HandlerResult>, topic: Topic): Promise<HandlerResult> => {
    try {
      return await handle()
    } catch (err) {
      if (!(err instanceof TypeError) && !(err instanceof RangeError)) throw err
      log.error({ err, topic }, 'an MQTT message cannot be processed')
      return { rejection: FAILED }
    }
  }

  return (topic, handle) =>
    lanes(`${topic.siteUuid}/${topic.senderUuid}`, () =>
      retryUntilSuccess(() => attempt(handle, topic), { signal, onFailure }),
    )
}
