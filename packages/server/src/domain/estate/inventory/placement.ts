/** Where a device was, and when. Consumption belongs to the space it was measured in. */
export interface Placement {
  spaceUuid: string
  from: number
  /** Null while it is there. */
  to: number | null
}

/** A device that was never anywhere else has always been where it is: its history may be older than the inventory. */
export const ALWAYS = 0

/** The placements once the device is in `spaceUuid` since then; the same array when nothing changes. */
export function placeDevice(
  placements: readonly Placement[],
  spaceUuid: string,
  since: number | null,
  now: number,
): readonly Placement[] {
  const last = placements.at(-1)
  if (!last) return [{ spaceUuid, from: since ?? ALWAYS, to: null }]
  const isThere = last.to === null && last.spaceUuid === spaceUuid
  if (isThere && (since === null || since === last.from)) return placements
  // Back where it was: as if it had never been missing from the document, so that nothing it measured is lost.
  if (!isThere && last.spaceUuid === spaceUuid && last.to !== null && since === null) {
    return [...placements.slice(0, -1), { ...last, to: null }]
  }
  const from = since ?? now
  const earlier = isThere ? joined(placements.slice(0, -1), last.from, from) : placements
  return [...endAt(earlier, from), { spaceUuid, from, to: null }]
}

/** The placements of a device that is gone from `now` on. */
export const removeDevice = (placements: readonly Placement[], now: number): readonly Placement[] =>
  endAt(placements, now)

const endAt = (placements: readonly Placement[], at: number): Placement[] =>
  placements
    .filter(({ from }) => from < at)
    .map((placement) => ({ ...placement, to: placement.to === null ? at : Math.min(placement.to, at) }))

/** A corrected `since` moves the end of the stay before along with it. */
const joined = (placements: readonly Placement[], end: number, at: number): Placement[] =>
  placements.map((placement) =>
    placement.to === end ? { ...placement, to: Math.max(at, placement.from) } : placement,
  )
