import type { Window } from './windows.ts'

/** How a window is drawn. A quality that a later server adds is drawn as measured, and named in words. */
export type Mark = 'measured' | 'estimated' | 'partial' | 'suspect' | 'missing'

const MARKS: ReadonlySet<string> = new Set(['estimated', 'partial', 'suspect', 'missing'])

export function getMark({ quality, value }: Pick<Window, 'quality' | 'value'>): Mark {
  if (value === null) return 'missing'
  return MARKS.has(quality) ? (quality as Mark) : 'measured'
}

/** The quality in the table and at the cursor; empty for measured values. */
export function describeQuality(window: Pick<Window, 'quality' | 'value' | 'coverage'>): string {
  const { quality, value, coverage } = window
  if (value === null) return 'no data'
  if (quality === 'measured') return ''
  if (quality !== 'partial' || Number.isNaN(coverage)) return quality
  // Rounding must not turn partial coverage into all or nothing.
  const percent = Math.min(99, Math.max(1, Math.round(coverage * 100)))
  return `partial, ${percent} %`
}

/** Words of the legend, in the order in which it lists them. */
export const MARK_LABELS: Record<Exclude<Mark, 'measured'>, string> = {
  estimated: 'Estimated',
  partial: 'Partial',
  suspect: 'Suspect',
  missing: 'No data',
}

export function findMarks(windows: readonly Window[]): (keyof typeof MARK_LABELS)[] {
  const found = new Set(windows.map(getMark))
  return (Object.keys(MARK_LABELS) as (keyof typeof MARK_LABELS)[]).filter((mark) => found.has(mark))
}

/** First and last index of each run of windows without data. */
export function findGaps(windows: readonly Window[]): [first: number, last: number][] {
  const gaps: [number, number][] = []
  for (const { index, value } of windows) {
    if (value !== null) continue
    const open = gaps.at(-1)
    if (open?.[1] === index - 1) open[1] = index
    else gaps.push([index, index])
  }
  return gaps
}

type Column = (number | null)[]

/**
 * The columns of a line: a segment is dashed if one of its ends is estimated, and solid otherwise. The neighbours of
 * estimated windows are in both columns, so that the dashes reach them.
 */
export function splitLine(windows: readonly Window[]): { solid: Column; dashed: Column } {
  const isEstimated = (window: Window | undefined): boolean =>
    window !== undefined && getMark(window) === 'estimated'
  return {
    solid: windows.map((window) => (isEstimated(window) ? null : window.value)),
    dashed: windows.map((window, index) =>
      [windows[index - 1], window, windows[index + 1]].some(isEstimated) ? window.value : null,
    ),
  }
}

/** Windows with a value between two without: a line has no segment that would show them. */
export function findLonely(windows: readonly Window[]): number[] {
  const hasValue = (window: Window | undefined): boolean => window !== undefined && window.value !== null
  return windows
    .filter(
      (window, index) => hasValue(window) && !hasValue(windows[index - 1]) && !hasValue(windows[index + 1]),
    )
    .map(({ index }) => index)
}
