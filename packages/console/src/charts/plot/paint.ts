import type uPlot from 'uplot'
import { findGaps, findLonely, getMark } from '../quality.ts'
import type { Window } from '../windows.ts'
import type { Theme } from './theme.ts'

/** The canvas of the functions below. Its lengths are CSS pixels times `ratio`. */
export interface Canvas {
  u: uPlot
  ctx: CanvasRenderingContext2D
  theme: Theme
  ratio: number
}

const HATCH_DISTANCE_PX = 7
const BAR_SHARE = 0.7
const WIDEST_BAR_PX = 44
const NARROWEST_STEP_PX = 8

/** Hatches windows without data over the whole height, behind everything else. */
export function paintGaps(canvas: Canvas, windows: readonly Window[]): void {
  const { u, ctx, theme, ratio } = canvas
  const { left, top, width, height } = u.bbox
  for (const [first, last] of findGaps(windows)) {
    const from = Math.max(left, Math.round(toX(u, windows[first]?.from)))
    const to = Math.min(left + width, Math.round(toX(u, windows[last]?.to)))
    if (to <= from) continue
    clipped(ctx, [from, top, to - from, height], () => {
      ctx.strokeStyle = theme.hatch
      ctx.lineWidth = ratio
      ctx.beginPath()
      // From one origin for all gaps, so that the lines of neighbouring charts match.
      const distance = HATCH_DISTANCE_PX * ratio
      const start = left + Math.floor((from - left - height) / distance) * distance
      for (let x = start; x < to; x += distance) {
        ctx.moveTo(x, top + height)
        ctx.lineTo(x + height, top)
      }
      ctx.stroke()
    })
  }
}

/** Labels the hatching where there is room, in front of the grid. */
export function labelGaps({ u, ctx, theme, ratio }: Canvas, windows: readonly Window[]): void {
  for (const [first, last] of findGaps(windows)) {
    const from = Math.max(u.bbox.left, toX(u, windows[first]?.from))
    const to = Math.min(u.bbox.left + u.bbox.width, toX(u, windows[last]?.to))
    labelGap({ u, ctx, theme, ratio }, (from + to) / 2, to - from)
  }
}

function labelGap({ u, ctx, theme, ratio }: Canvas, x: number, space: number): void {
  const text = 'no data'
  ctx.save()
  ctx.font = `${11 * ratio}px ${theme.fontFamily}`
  const width = ctx.measureText(text).width + 12 * ratio
  if (width + 8 * ratio <= space) {
    const y = u.bbox.top + u.bbox.height / 2
    ctx.fillStyle = theme.paper
    ctx.beginPath()
    ctx.roundRect(x - width / 2, y - 9 * ratio, width, 18 * ratio, 9 * ratio)
    ctx.fill()
    ctx.fillStyle = theme.quiet
    ctx.textAlign = 'center'
    ctx.textBaseline = 'middle'
    ctx.fillText(text, x, y + 0.5 * ratio)
  }
  ctx.restore()
}

export function paintBars(canvas: Canvas, windows: readonly Window[]): void {
  const { u, ctx, theme, ratio } = canvas
  const { left, top, width, height } = u.bbox
  const zero = Math.round(u.valToPos(0, 'y', true))
  // Half a pixel more than the plot: strokes lie on the edge.
  clipped(ctx, [left, top - ratio, width, height + 2 * ratio], () => {
    for (const window of windows) {
      const mark = getMark(window)
      if (mark === 'missing' || window.value === null) continue
      const [x, barWidth] = placeBar(canvas, window)
      if (x + barWidth < left || x > left + width) continue
      const tip = Math.round(u.valToPos(window.value, 'y', true))
      // A value of 0 is drawn with a minimum height; otherwise it would look like a gap.
      const barHeight = Math.max(Math.abs(zero - tip), 2 * ratio)
      const y = window.value < 0 ? zero : zero - barHeight
      const radius = Math.min(3 * ratio, barWidth / 3, barHeight / 2)
      const radii = window.value < 0 ? [0, 0, radius, radius] : [radius, radius, 0, 0]
      const isOutlined =
        (mark === 'estimated' || mark === 'partial') && barHeight > 4 * ratio && barWidth > 4 * ratio
      const inset = isOutlined ? (1.5 * ratio) / 2 : 0
      ctx.beginPath()
      ctx.roundRect(x + inset, y + inset, barWidth - 2 * inset, barHeight - 2 * inset, radii)
      if (!isOutlined) {
        // Too small for an outline: estimated and partial bars stay lighter than measured ones.
        ctx.fillStyle = mark === 'estimated' || mark === 'partial' ? theme.faint : theme.tone
        ctx.fill()
        continue
      }
      ctx.fillStyle = mark === 'estimated' ? theme.light : theme.paper
      ctx.fill()
      ctx.strokeStyle = theme.tone
      ctx.lineWidth = 1.5 * ratio
      ctx.setLineDash(mark === 'estimated' ? [4 * ratio, 3 * ratio] : [])
      ctx.stroke()
      ctx.setLineDash([])
    }
  })
}

/** Left edge and width of a bar, in the middle of its window. */
function placeBar({ u, ratio }: Canvas, window: Window): [number, number] {
  const [from, to] = [toX(u, window.from), toX(u, window.to)]
  const space = to - from
  const width = Math.max(ratio, Math.min(space * BAR_SHARE, WIDEST_BAR_PX * ratio, space - ratio))
  return [Math.round((from + to - width) / 2), Math.max(1, Math.round(width))]
}

/** The period before, in front of the bars: steps with an edge that separates them or, if bars are thin, a line. */
export function paintPrevious(
  canvas: Canvas,
  windows: readonly Window[],
  values: readonly (number | null)[],
): void {
  const { u, ctx, theme, ratio } = canvas
  const { left, top, width, height } = u.bbox
  const [first] = windows
  if (!first) return
  const hasSteps = toX(u, first.to) - toX(u, first.from) >= NARROWEST_STEP_PX * ratio
  const path = new Path2D()
  let isOpen = false
  for (const window of windows) {
    const value = values[window.index] ?? null
    if (value !== null) {
      const y = u.valToPos(value, 'y', true)
      const from = toX(u, hasSteps ? window.from : middle(window))
      if (isOpen) path.lineTo(from, y)
      else path.moveTo(from, y)
      if (hasSteps) path.lineTo(toX(u, window.to), y)
    }
    isOpen = value !== null
  }
  clipped(ctx, [left, top - 2 * ratio, width, height + 4 * ratio], () => {
    ctx.lineJoin = 'round'
    if (hasSteps) {
      ctx.strokeStyle = theme.paper
      ctx.lineWidth = 3.5 * ratio
      ctx.stroke(path)
    }
    ctx.strokeStyle = theme.previous
    ctx.lineWidth = (hasSteps ? 1.5 : 1.25) * ratio
    ctx.stroke(path)
  })
}

/** Hollow points of partial windows, and points of windows that no line reaches. */
export function paintPoints(canvas: Canvas, windows: readonly Window[]): void {
  const { u, ctx, theme, ratio } = canvas
  const { left, top, width, height } = u.bbox
  const lonely = new Set(findLonely(windows))
  clipped(ctx, [left, top - 6 * ratio, width, height + 12 * ratio], () => {
    for (const window of windows) {
      const isPartial = getMark(window) === 'partial'
      if (window.value === null || (!isPartial && !lonely.has(window.index))) continue
      ctx.beginPath()
      ctx.arc(
        toX(u, middle(window)),
        u.valToPos(window.value, 'y', true),
        (isPartial ? 4 : 2.5) * ratio,
        0,
        2 * Math.PI,
      )
      ctx.fillStyle = isPartial ? theme.paper : theme.tone
      ctx.fill()
      if (!isPartial) continue
      ctx.strokeStyle = theme.tone
      ctx.lineWidth = 1.75 * ratio
      ctx.stroke()
    }
  })
}

/** A triangle above each suspect window. It may lie above the plot. */
export function paintTriangles({ u, ctx, theme, ratio }: Canvas, windows: readonly Window[]): void {
  const { left, width } = u.bbox
  // uPlot caches the state of the context, so it must be left unchanged.
  ctx.save()
  ctx.lineJoin = 'round'
  ctx.strokeStyle = theme.paper
  ctx.lineWidth = 3 * ratio
  ctx.fillStyle = theme.suspect
  for (const window of windows) {
    if (window.value === null || getMark(window) !== 'suspect') continue
    const x = toX(u, middle(window))
    if (x < left || x > left + width) continue
    const base = u.valToPos(window.value, 'y', true) - 5 * ratio
    ctx.beginPath()
    ctx.moveTo(x, base - 9 * ratio)
    ctx.lineTo(x + 5 * ratio, base)
    ctx.lineTo(x - 5 * ratio, base)
    ctx.closePath()
    ctx.stroke()
    ctx.fill()
  }
  ctx.restore()
}

export const middle = ({ from, to }: Window): number => (from + to) / 2

const toX = (u: uPlot, seconds: number | undefined): number => u.valToPos(seconds ?? Number.NaN, 'x', true)

function clipped(
  ctx: CanvasRenderingContext2D,
  [x, y, width, height]: readonly [number, number, number, number],
  draw: () => void,
): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(x, y, width, height)
  ctx.clip()
  draw()
  ctx.restore()
}
