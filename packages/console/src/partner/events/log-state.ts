import type { Event, EventPage, GoneError } from '@portico/sdk'

/** The events that are shown, newest first, and which numbers of the log they cover. */
export interface LogState {
  events: readonly Event[]
  /** Number of the newest event of the log that has been read. */
  newest: number
  /** Every event that matches and has a greater number has been read. */
  oldest: number
}

/** The oldest number that the log has, from the error of a number that it no longer has. */
export function findOldest({ errors }: Pick<GoneError, 'errors'>): number | undefined {
  const numbers = errors.flatMap(({ message }) => /\d+/.exec(message)?.[0] ?? [])
  return numbers[0] === undefined ? undefined : Number(numbers[0])
}

/** The state with the events of a page that follows it. */
export function addPage(state: LogState, { data, pagination }: EventPage): LogState {
  const fresh = data.filter(({ number }) => number > state.newest)
  return {
    ...state,
    events: [...fresh.toReversed(), ...state.events],
    newest: Math.max(state.newest, pagination.nextAfter),
  }
}

/** The current state, which may have grown in the meantime, with the earlier events of another state. */
export function mergeEarlier(state: LogState, { events, oldest }: LogState): LogState {
  const known = new Set(state.events.map(({ number }) => number))
  return { ...state, events: [...state.events, ...events.filter(({ number }) => !known.has(number))], oldest }
}
