import { AppError, invalidField } from '../../kernel/errors.ts'
import { isoInstant } from '../../kernel/clock.ts'
import type { EventRecord } from './event.ts'
import { type EventFilter, type EventHead, type EventStore, NO_EVENTS } from './store.ts'

/** Part of a site's log, in order. */
export interface EventPage {
  events: EventRecord[]
  /** All events up to this number are in this page or an earlier one, or do not match the filter. */
  nextAfter: number
  hasMore: boolean
}

/** The version of the bodies of all types; it changes when a field changes its meaning. */
export const EVENT_VERSION = 1

/** An event as JSON, as partners see it. */
export const toEventText = (event: EventRecord): string => {
  const { eventUuid, type, at, siteUuid, number, deviceUuid, spaceUuid, data } = event
  const head = {
    eventUuid,
    type,
    version: EVENT_VERSION,
    timestamp: isoInstant(at),
    siteUuid,
    number,
    deviceUuid,
    spaceUuid,
  }
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
}

const getHead = async (store: Pick<EventStore, 'heads'>, siteUuid: string): Promise<EventHead> =>
  (await store.heads([siteUuid])).get(siteUuid) ?? NO_EVENTS

/** Reads events after a number. Throws `events-gone` if some of those after it are no longer kept. */
export async function readPage(
  store: Pick<EventStore, 'heads' | 'list'>,
  siteUuid: string,
  after: number,
  limit: number,
  filter: EventFilter,
): Promise<EventPage> {
  // The head is read first: every event that it counts is visible to the list.
  const { firstNumber, lastNumber } = await getHead(store, siteUuid)
  if (after < firstNumber - 1) throw eventsGone(firstNumber)
  if (after > lastNumber)
    throw invalidField(
      'after',
      'out-of-range',
      `must be at most ${lastNumber}, the number of the newest event`,
    )
  const found = after === lastNumber ? [] : await store.list(siteUuid, after, limit + 1, filter)
  const events = found.slice(0, limit)
  const last = events.at(-1)?.number ?? after
  const hasMore = found.length > limit
  return { events, nextAfter: hasMore ? last : Math.max(last, lastNumber), hasMore }
}

/** How far back a reader without a number begins. */
const RECENT_MS = 3_600_000

/** The number after which a reader begins: the given one, or the last one that is an hour old. */
export const findStart = async (
  store: Pick<EventStore, 'lastBefore'>,
  siteUuid: string,
  after: string | undefined,
  now: number,
): Promise<number> => (after === undefined ? store.lastBefore(siteUuid, now - RECENT_MS) : Number(after))

const eventsGone = (oldest: number): AppError =>
  new AppError('events-gone', `Events after this number are no longer kept; the oldest is ${oldest}.`, {
    errors: [{ field: 'after', code: 'gone', message: `the oldest is ${oldest}` }],
  })

/** The number of the newest event of a site; 0 if it has none. */
export const getLastNumber = async (store: Pick<EventStore, 'heads'>, siteUuid: string): Promise<number> =>
  (await getHead(store, siteUuid)).lastNumber
