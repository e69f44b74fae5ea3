const HIGHEST_LEGACY_ID = 2_147_483_647

/** The next after the highest; where somebody took the very last, the first gap. */
export function freeLegacyId(used: ReadonlySet<number>): number {
  const next = used.size === 0 ? 1 : [...used].reduce((highest, id) => Math.max(highest, id)) + 1
  if (next <= HIGHEST_LEGACY_ID) return next
  let gap = 1
  while (used.has(gap)) gap += 1
  return gap
}
