/** Tracks when series changed and from which instant on. Results for earlier time remain valid. */
export interface ChangeTracker {
  /**
   * Records a batch of a series by its first and last instant; `previous` is the reading before the first, if known.
   * Values of a meter change from that reading on.
   */
  record(sequence: number, seriesId: number, first: number, last: number, previous: number): void
  /** Records that any value of a series may have changed. `newest` is the time of its newest reading. */
  restart(sequence: number, seriesId: number, newest: number): void
  /** Batches up to this sequence were not seen. */
  markGap(sequence: number): void
  /** The highest sequence whose batch may affect results of a series before an instant. */
  before(seriesId: number, at: number): number
}

/** Windows start and end at quarter hours, so no finer resolution is needed. */
const STEP_MS = 900_000

/** Changes per series; older ones are merged. */
const MAX_CHANGES = 8

interface Change {
  from: number
  sequence: number
}

interface ChangedSeries {
  newest: number
  /** Ascending by sequence and by instant: a change that starts earlier replaces those after its start. */
  changes: Change[]
}

export function createChangeTracker(): ChangeTracker {
  const changed = new Map<number, ChangedSeries>()
  let missedThrough = 0

  return {
    record(sequence, seriesId, first, last, previous) {
      let own = changed.get(seriesId)
      if (!own) changed.set(seriesId, (own = { newest: Number.NEGATIVE_INFINITY, changes: [] }))
      // A batch after the newest reading follows it, even if that reading has been compacted.
      const from = first > own.newest ? Math.max(own.newest, previous) : previous
      own.newest = Math.max(own.newest, last)
      put(own.changes, Math.floor(from / STEP_MS) * STEP_MS, sequence)
    },
    restart(sequence, seriesId, newest) {
      changed.set(seriesId, { newest, changes: [{ from: Number.NEGATIVE_INFINITY, sequence }] })
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
