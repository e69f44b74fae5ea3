import { type Fragment, isWritten } from './fragment.ts'
import type { SeriesFragments } from './fragments.ts'

/**
 * Fragments of windows that are over and not rolled up yet. Readings come all the time, and most are newer than these windows: a
 * fragment holds until one comes that may have changed what is before its end.
 */
export const openFragments = (
  kept: SeriesFragments,
  /** The last delivery that was there when this began: what is put here has seen it, and perhaps later ones. */
  lastArrival: number,
  /** The last delivery that may have changed what is before an instant. */
  changedBefore: (at: number) => number,
): SeriesFragments => ({
  get(number) {
    const fragment = kept.get(number)
    const made = fragment?.made
    return made && changedBefore(made.end) <= made.arrival ? fragment : undefined
  },
  put(number, fragment) {
    kept.put(number, { ...fragment, made: { arrival: lastArrival, end: endOf(fragment) } })
  },
  isGone: () => kept.isGone(),
})

function endOf(fragment: Fragment): number {
  let place = fragment.edges.length - 1
  while (place > 0 && !isWritten(fragment, place - 1)) place -= 1
  return fragment.edges[place] ?? 0
}
