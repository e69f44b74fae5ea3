export interface ValueScale {
  min: number
  max: number
  /** Distance between two grid lines. */
  step: number
}

/**
 * A range of round numbers around the values, with about `lines` grid lines. Amounts begin at zero. Lines do not touch
 * the edges, except at zero.
 */
export function chooseScale(low: number, high: number, fromZero: boolean, lines: number): ValueScale {
  const margin = fromZero ? 0 : (high - low) * 0.04
  const bottom = fromZero ? Math.min(0, low) : low >= 0 ? Math.max(0, low - margin) : low - margin
  if (low === 0 && high === 0) return { min: 0, max: 1, step: 1 }
  const [min, max] = widen(bottom, (fromZero ? Math.max(0, high) : high) + margin)
  const step = roundUp((max - min) / Math.max(1, lines))
  return { min: floorTo(min, step), max: -floorTo(-max, step), step }
}

/** A range without extent gets one, so that it can be divided. */
function widen(min: number, max: number): [number, number] {
  if (max > min) return [min, max]
  const extent = Math.max(Math.abs(min) * 0.02, Number.EPSILON)
  return [min - extent, max + extent]
}

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10
  return clean(factor * power)
}

const floorTo = (value: number, step: number): number => clean(Math.floor(value / step + 1e-9) * step)

/** Removes the noise of binary fractions: 0.30000000000000004. */
const clean = (value: number): number => Number(value.toPrecision(12))

export function listGridLines({ min, max, step }: ValueScale): number[] {
  const count = Math.round((max - min) / step)
  return Array.from({ length: count + 1 }, (_, index) => clean(min + index * step))
}

/** Labels with as many digits as the step needs, so that they line up. */
export function labelGridLines(lines: readonly number[], step: number): string[] {
  const digits = Math.max(0, (String(clean(step)).split('.')[1] ?? '').length)
  const format = new Intl.NumberFormat('en-GB', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // −0 would be labelled as such.
  return lines.map((line) => format.format(line + 0))
}
