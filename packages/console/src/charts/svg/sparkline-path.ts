export interface SparklineShape {
  /** Path data of the line, with a break at each gap. */
  line: string
  /** Values between two gaps, which have no line. */
  dots: [x: number, y: number][]
  /** The newest value. */
  last: [x: number, y: number] | null
}

/** Scales values to a box; `fromZero` keeps the proportions of amounts. */
export function drawSparkline(
  values: readonly (number | null)[],
  width: number,
  height: number,
  fromZero: boolean,
): SparklineShape {
  const present = values.flatMap((value) => value ?? [])
  const low = fromZero ? Math.min(0, ...present) : Math.min(...present)
  const high = Math.max(fromZero ? 0 : -Infinity, ...present)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const toPoint = (value: number, index: number): [number, number] => [
    round(index * step),
    round(high === low ? (fromZero ? height : height / 2) : height - ((value - low) / (high - low)) * height),
  ]
  const dots: [number, number][] = []
  let line = ''
  let last: [number, number] | null = null
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const point = toPoint(value, index)
    const [before, after] = [values[index - 1] ?? null, values[index + 1] ?? null]
    if (before === null && after === null) dots.push(point)
    else line += `${before === null ? 'M' : 'L'}${point[0]} ${point[1]}`
    last = point
  }
  return { line, dots, last }
}

const round = (value: number): number => Math.round(value * 100) / 100
