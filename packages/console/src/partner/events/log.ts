import type { Event, EventPage, GoneError } from '@portico/sdk'
import { type ApiCall, send, v2 } from '../../api.ts'
import { findOldest, type LogState } from './log-state.ts'

export interface EventFilter {
  types?: string | undefined
  deviceUuid?: string | undefined
  spaceUuid?: string | undefined
}

/** Events per request. The numbers of a site have no gaps, so this many numbers are one request. */
const PAGE = 1000
/** Shown before anything happens. */
const FIRST_ROWS = 50

export const toEventsCall = (siteId: string, filter: EventFilter, after?: number): ApiCall =>
  v2('GET', '/events', { siteId, query: { ...filter, after, limit: PAGE } })

/** The events of the last hour, or more if they are few. */
export async function loadNewest(
  siteId: string,
  filter: EventFilter,
  signal: AbortSignal,
): Promise<LogState> {
  let events: readonly Event[] = []
  let after: number | undefined
  let first: number | undefined
  for (;;) {
    const { data: page } = await send<EventPage>(toEventsCall(siteId, filter, after), { signal })
    events = [...page.data.toReversed(), ...events]
    first ??= page.data[0]?.number
    after = page.pagination.nextAfter
    if (!page.pagination.hasMore) break
  }
  const state = { events, newest: after, oldest: (first ?? after + 1) - 1 }
  return events.length < FIRST_ROWS && state.oldest > 0 ? loadEarlier(siteId, filter, state, signal) : state
}

/** The state with the events of the thousand numbers before it. */
export async function loadEarlier(
  siteId: string,
  filter: EventFilter,
  state: LogState,
  signal: AbortSignal,
): Promise<LogState> {
  const after = Math.max(0, state.oldest - PAGE)
  const { data: page } = await loadAfter(siteId, filter, after, signal)
  const earlier = page.data.filter(({ number }) => number <= state.oldest)
  return { ...state, events: [...state.events, ...earlier.toReversed()], oldest: page.isFirst ? 0 : after }
}

/** A page that begins at a number, or at the oldest that is still kept. */
async function loadAfter(
  siteId: string,
  filter: EventFilter,
  after: number,
  signal: AbortSignal,
): Promise<{ data: EventPage & { isFirst: boolean } }> {
  try {
    const { data } = await send<EventPage>(toEventsCall(siteId, filter, after), { signal })
    return { data: { ...data, isFirst: after === 0 } }
  } catch (error) {
    const oldest = isGone(error) ? findOldest(error) : undefined
    if (oldest === undefined) throw error
    const { data } = await send<EventPage>(toEventsCall(siteId, filter, oldest - 1), { signal })
    return { data: { ...data, isFirst: true } }
  }
}

const isGone = (error: unknown): error is GoneError =>
  error instanceof Error && 'status' in error && error.status === 410
