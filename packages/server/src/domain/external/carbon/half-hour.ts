/** Electricity is settled by half hours of UTC, and grid services report by them. */
export const HALF_HOUR_MS = 1_800_000

export const startOfHalfHour = (at: number): number => Math.floor(at / HALF_HOUR_MS) * HALF_HOUR_MS

/** The start of every half hour that overlaps a span. */
export function halfHoursIn(from: number, to: number): number[] {
  const first = startOfHalfHour(from)
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / HALF_HOUR_MS)) }, (_, index) => {
    return first + index * HALF_HOUR_MS
  })
}
