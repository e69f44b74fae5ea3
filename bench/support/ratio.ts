export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [left = Number.NaN, right = left] =
    sorted.length % 2 ? [sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (left + right) / 2
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** A ratio of two measurements taken in the same rounds. */
export interface Ratio {
  /** Geometric mean over the rounds. */
  value: number
  /** Half the width of the 95 % confidence interval, relative to the value. NaN for a single round. */
  precision: number
}

export function toRatio(above: readonly number[], below: readonly number[]): Ratio {
  const logs = above.map((value, round) => Math.log(value / (below[round] ?? Number.NaN)))
  const centre = mean(logs)
  const variance = logs.reduce((sum, log) => sum + (log - centre) ** 2, 0) / (logs.length - 1)
  const halfWidth = studentT(logs.length - 1) * Math.sqrt(variance / logs.length)
  return { value: Math.exp(centre), precision: Math.exp(halfWidth) - 1 }
}

/** The 97.5 % quantiles of Student's t-distribution, from one degree of freedom. */
const QUANTILES = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179]

const studentT = (degrees: number): number => QUANTILES[degrees - 1] ?? 2
