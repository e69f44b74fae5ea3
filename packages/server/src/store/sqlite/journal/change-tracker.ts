/** When series have changed, and from which instant on: what was computed of the time before that still holds. */
export interface ChangeTracker {
  /**
   * Readings of a series have arrived, the first and the last of them at these instants; `previous` is one before the first, where one is
   * known. What a meter says changes from that one on.
   */
  record(sequence: number, seriesId: number, first: number, last: number, previous: number): void
  /** Nobody knows what has arrived up to here. */
  markGap(sequence: number): void
  /** The highest sequence whose batch may affect results of a series before an instant. */
  before(seriesId: number, at: number): number
}

/** Windows begin and end at quarters of an hour: finer than that nobody asks. */
const STEP_MS = 900_000

/** So many are told apart; of older changes it is enough that there were some. */
const MAX_CHANGES = 8

interface Change {
  from: number
  sequence: number
}

interface ChangedSeries {
  newest: number
  /** Each later and from a later instant than the one before it: one that reaches further back takes its place. */
  changes: Change[]
}

export function createChangeTracker(): ChangeTracker {
  const changed = new Map<number, ChangedSeries>()
  let missedThrough = 0

  return {
    record(sequence, seriesId, first, last, previous) {
      let own = changed.get(seriesId)
      if (!own) changed.set(seriesId, (own = { newest: Number.NEGATIVE_INFINITY, changes: [] }))
      // What goes on from the newest has it before it, also when that has been packed.
      const from = first > own.newest ? Math.max(own.newest, previous) : previous
      own.newest = Math.max(own.newest, last)
      put(own.changes, Math.floor(from / STEP_MS) * STEP_MS, sequence)
    },
    markGap(sequence) {
      missedThrough = sequence
      changed.clear()
    },
    before(seriesId, at) {
      const change = changed.get(seriesId)?.changes.findLast(({ from }) => from < at)
      return change?.sequence ?? missedThrough
    },
  }
}

function put(changes: Change[], from: number, sequence: number): void {
  while ((changes.at(-1)?.from ?? Number.NEGATIVE_INFINITY) > from) changes.pop()
  const last = changes.at(-1)
  if (last?.from === from) last.sequence = sequence
  else changes.push({ from, sequence })
  const [oldest, second] = changes
  if (oldest && second && changes.length > MAX_CHANGES)
    changes.splice(0, 2, { from: oldest.from, sequence: second.sequence })
}
