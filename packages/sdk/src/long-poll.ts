import {
  CommandFailedError,
  ConnectionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  WaitTimeoutError,
} from './errors.ts'
import type { EventOfType, EventPage, EventPosition, SiteEventType } from './event-types.ts'
import { CallLimits } from './limits.ts'
import type { Answer, CallOptions } from './send.ts'
import { delay, now } from './timing.ts'
import type { Command } from './types.ts'

/** How long the server is requested to wait; at most 30 s. */
const LONG_POLL_S = 25
/** Additional time for the response to a long poll to arrive. */
const MARGIN_MS = 15_000
/** Delays between requests to a server that does not support long polls. */
const [FIRST_POLL_MS, LAST_POLL_MS] = [250, 5_000]
/** Delays after a failure. */
const [FIRST_WAIT_MS, LAST_WAIT_MS] = [500, 30_000]

/** See `site.commands.wait`. `load` reads the command. */
export async function waitForCommand(
  load: (options: CallOptions) => Promise<Answer<Command>>,
  timeoutMs: number,
  options: CallOptions,
): Promise<Answer<Command>> {
  const endsAt = now() + timeoutMs
  let etag: string | undefined
  let latest: Command | undefined
  let pollMs = FIRST_POLL_MS
  for (;;) {
    const seconds = Math.min(LONG_POLL_S, Math.floor((endsAt - now()) / 1000))
    const isLongPoll = etag !== undefined && seconds >= 1
    const headers: Record<string, string> = { ...options.headers }
    if (etag !== undefined) headers['if-none-match'] = etag
    if (isLongPoll) headers['prefer'] = `wait=${seconds}`
    const answer = await load({
      ...options,
      headers,
      timeoutMs: (isLongPoll ? seconds * 1000 : 0) + MARGIN_MS,
    })
    const { response } = answer
    etag = response.headers.get('etag') ?? etag
    // A 304 has no body, unless it is cached.
    const data = answer.data as Command | undefined
    if (data) {
      latest = data
      if (data.state === 'CONFIRMED') return answer
      if (data.state === 'FAILED' || data.state === 'EXPIRED' || data.state === 'CANCELLED')
        throw new CommandFailedError(data)
    }
    const remainingMs = endsAt - now()
    if (remainingMs <= 0 && latest) throw new WaitTimeoutError(latest, timeoutMs)
    // The first request only obtains the ETag. A server that did not wait is polled.
    if (etag !== undefined && (!isLongPoll || response.headers.has('preference-applied')) && seconds >= 1)
      continue
    await delay(Math.min(remainingMs, pollMs * (0.5 + Math.random())), options.signal)
    pollMs = Math.min(LAST_POLL_MS, pollMs * 1.5)
  }
}

/** See `site.events.follow`. `load` reads a page. */
export async function* followEvents<T extends SiteEventType>(
  load: (position: EventPosition<T>, options: CallOptions) => Promise<Answer<EventPage<T>>>,
  position: EventPosition<T>,
  options: CallOptions,
): AsyncGenerator<EventOfType<T>, void, undefined> {
  const limits = new CallLimits(options.signal, options.deadlineMs)
  const { signal } = limits
  const each = {
    ...options,
    signal,
    headers: { ...options.headers, prefer: `wait=${LONG_POLL_S}` },
    timeoutMs: LONG_POLL_S * 1000 + MARGIN_MS,
    deadlineMs: Infinity,
  }
  let { after } = position
  let failures = 0
  try {
    for (;;) {
      let answer
      try {
        answer = await load({ ...position, after }, each)
      } catch (error) {
        if (!isPassing(error) || signal?.aborted) throw error
        await delay(toWaitMs(failures), signal)
        failures += 1
        continue
      }
      failures = 0
      const { data, pagination } = answer.data
      yield* data
      after = pagination.nextAfter
      if (data.length === 0 && !answer.response.headers.has('preference-applied'))
        await delay(toWaitMs(1), signal)
    }
  } finally {
    limits.clear()
  }
}

const isPassing = (error: unknown): boolean =>
  [ConnectionError, TimeoutError, ServerError, RateLimitError].some((Class) => error instanceof Class)

const toWaitMs = (failures: number): number =>
  Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2)
