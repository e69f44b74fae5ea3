import { Call } from './call.ts'
import { ConnectionError, RateLimitError, ServerError, TimeoutError } from './errors.ts'
import type { SiteEvent } from './event-types.ts'
import type { Answer, CallOptions, Send } from './send.ts'
import { delay } from './timing.ts'

export type SiteEventType = SiteEvent['type']

/** The events of some types. */
export type EventOfType<T extends SiteEventType> = Extract<SiteEvent, { type: T }>

export interface EventFilter<T extends SiteEventType = SiteEventType> {
  types?: readonly T[] | undefined
  deviceUuid?: string | undefined
  spaceUuid?: string | undefined
}

export interface EventPosition<T extends SiteEventType = SiteEventType> extends EventFilter<T> {
  /** Number of the last event that you have; the events of the last hour if absent. */
  after?: number | undefined
  /** Events per page, at most 1000. */
  limit?: number | undefined
}

export interface EventPage<T extends SiteEventType = SiteEventType> {
  data: EventOfType<T>[]
  pagination: { /** Pass it as `after` to get the events that follow. */ nextAfter: number; hasMore: boolean }
}

/** Time that the server is asked to wait; at most 30 s. */
const LONG_POLL_S = 25
const MARGIN_MS = 15_000
const [FIRST_WAIT_MS, LAST_WAIT_MS] = [500, 30_000]

/** The log of what happened on a site. */
export class Events {
  readonly #send: Send
  readonly #siteId: string

  constructor(send: Send, siteId: string) {
    this.#send = send
    this.#siteId = siteId
  }

  /** One page of events, oldest first. */
  page<T extends SiteEventType = SiteEventType>(
    position: EventPosition<T> = {},
    options?: CallOptions,
  ): Call<EventPage<T>> {
    return new Call(this.#load(position, options))
  }

  get(eventUuid: string, options?: CallOptions): Call<SiteEvent> {
    const path = `/events/${encodeURIComponent(eventUuid)}`
    return new Call(this.#send<SiteEvent>({ method: 'GET', path, siteId: this.#siteId }, options))
  }

  /** Number of the newest event, to follow from now on. */
  async newest(filter: EventFilter = {}, options?: CallOptions): Promise<number> {
    let after: number | undefined
    for (;;) {
      const { pagination } = await this.page({ ...filter, after, limit: 1000 }, options)
      after = pagination.nextAfter
      if (!pagination.hasMore) return after
    }
  }

  /**
   * Events as they happen, for as long as they are iterated. After an outage of the network or of the server it goes on
   * where it stopped; store `event.number`, and pass it as `after` to do the same after a restart of your program. A
   * `GoneError` means that events after that number are no longer kept.
   */
  async *follow<T extends SiteEventType = SiteEventType>(
    position: EventPosition<T> = {},
    options: CallOptions = {},
  ): AsyncGenerator<EventOfType<T>, void, undefined> {
    let { after } = position
    let failures = 0
    for (;;) {
      let page: EventPage<T>
      let hasWaited: boolean
      try {
        const answer = await this.#load<T>(
          { ...position, after },
          {
            ...options,
            headers: { ...options.headers, prefer: `wait=${LONG_POLL_S}` },
            timeoutMs: LONG_POLL_S * 1000 + MARGIN_MS,
          },
        )
        page = answer.data
        hasWaited = answer.response.headers.has('preference-applied')
        failures = 0
      } catch (error) {
        if (!isPassing(error)) throw error
        await delay(toWaitMs(failures), options.signal)
        failures += 1
        continue
      }
      yield* page.data
      after = page.pagination.nextAfter
      // A server that did not wait is polled.
      if (page.data.length === 0 && !hasWaited) await delay(toWaitMs(1), options.signal)
    }
  }

  #load<T extends SiteEventType>(
    { types, ...position }: EventPosition<T>,
    options: CallOptions | undefined,
  ): Promise<Answer<EventPage<T>>> {
    const query = { ...position, types }
    return this.#send<EventPage<T>>({ method: 'GET', path: '/events', query, siteId: this.#siteId }, options)
  }
}

const isPassing = (error: unknown): boolean =>
  [ConnectionError, TimeoutError, ServerError, RateLimitError].some((Class) => error instanceof Class)

const toWaitMs = (failures: number): number =>
  Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2)
