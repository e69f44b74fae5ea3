/** A device's time in a space. Consumption belongs to the space in which it was measured. */
export interface Placement {
  spaceUuid: string
  from: number
  /** Null while the device is in the space. */
  to: number | null
}

/** Start of a device's first placement: its history may be older than the inventory. */
export const ALWAYS = 0

/** The placements after placing the device in `spaceUuid`; the same array if nothing changes. */
export function placeDevice(
  placements: readonly Placement[],
  spaceUuid: string,
  since: number | null,
  now: number,
): readonly Placement[] {
  const last = placements.at(-1)
  if (!last) return [{ spaceUuid, from: since ?? ALWAYS, to: null }]
  const isPlacedThere = last.to === null && last.spaceUuid === spaceUuid
  if (isPlacedThere && (since === null || since === last.from)) return placements
  // The device is back in its last space: the placement continues without a gap, so that none of its readings are lost.
  if (!isPlacedThere && last.spaceUuid === spaceUuid && last.to !== null && since === null) {
    return [...placements.slice(0, -1), { ...last, to: null }]
  }
  const from = since ?? now
  const earlier = isPlacedThere ? moveEnd(placements.slice(0, -1), last.from, from) : placements
  return [...endAt(earlier, from), { spaceUuid, from, to: null }]
}

/** The placements of a device that is removed at `now`. */
export const removeDevice = (placements: readonly Placement[], now: number): readonly Placement[] =>
  endAt(placements, now)

const endAt = (placements: readonly Placement[], at: number): Placement[] =>
  placements
    .filter(({ from }) => from < at)
    .map((placement) => ({ ...placement, to: placement.to === null ? at : Math.min(placement.to, at) }))

/** Moves the end of the previous placement along with a corrected `since`. */
const moveEnd = (placements: readonly Placement[], end: number, at: number): Placement[] =>
  placements.map((placement) =>
    placement.to === end ? { ...placement, to: Math.max(at, placement.from) } : placement,
  )

/** The first instant at which the two lists place the device in different spaces; infinity if there is none. */
export function findFirstDifference(before: readonly Placement[], after: readonly Placement[]): number {
  const edges = [...before, ...after].flatMap(({ from, to }) => (to === null ? [from] : [from, to]))
  const differing = edges.filter((at) => findSpaceAt(before, at) !== findSpaceAt(after, at))
  return differing.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
}

const findSpaceAt = (placements: readonly Placement[], at: number): string | undefined =>
  placements.find(({ from, to }) => from <= at && (to === null || at < to))?.spaceUuid
