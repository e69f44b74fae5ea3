import type { Call } from './call.ts'
import type {
  EventFilter,
  EventOfType,
  EventPage,
  EventPosition,
  SiteEvent,
  SiteEventType,
} from './event-types.ts'
import type { CallOptions } from './send.ts'
import { SiteCalls } from './site-calls.ts'

/** The log of what happened on a site. */
export class Events extends SiteCalls {
  /** One page of events, oldest first. */
  page<T extends SiteEventType = SiteEventType>(
    position: EventPosition<T> = {},
    options?: CallOptions,
  ): Call<EventPage<T>> {
    return this.read('/events', { ...position }, options)
  }

  get(eventUuid: string, options?: CallOptions): Call<SiteEvent> {
    return this.read(`/events/${encodeURIComponent(eventUuid)}`, {}, options)
  }

  /** Number of the newest event, to follow from now on. */
  newest(filter: EventFilter = {}, options?: CallOptions): Promise<number> {
    return this.send.sequence(options, async (each) => {
      let after: number | undefined
      for (;;) {
        const { pagination } = await this.page({ ...filter, after, limit: 1000 }, each)
        after = pagination.nextAfter
        if (!pagination.hasMore) return after
      }
    })
  }

  /**
   * Events as they happen, for as long as they are iterated. After an outage of the network or the server, the
   * iteration continues where it stopped. Store `event.number` and pass it as `after` to do the same after a restart of
   * your program. A `GoneError` means that events after that number are no longer kept. The `deadlineMs` of the client
   * does not apply; that of these options limits the whole iteration.
   */
  async *follow<T extends SiteEventType = SiteEventType>(
    position: EventPosition<T> = {},
    options: CallOptions = {},
  ): AsyncGenerator<EventOfType<T>, void, undefined> {
    const { followEvents } = await import('./long-poll.ts')
    yield* followEvents((at, each) => this.page(at, each).withResponse(), position, options)
  }
}
