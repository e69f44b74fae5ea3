import uPlot from 'uplot'
import { findTicks, type Tick } from '../axis.ts'
import { splitLine } from '../quality.ts'
import { chooseScale, labelGridLines, listGridLines, type ValueScale } from '../scale.ts'
import type { Interval, Window } from '../windows.ts'
import {
  labelGaps,
  middle,
  paintBars,
  paintGaps,
  paintPoints,
  paintPrevious,
  paintTriangles,
} from './paint.ts'
import { readTheme, watchTheme } from './theme.ts'

export type Kind = 'bars' | 'lines'

/** Parts of a chart that the legend shows and hides. */
export type Part = 'main' | 'previous' | 'band'

export interface PlotContent {
  kind: Kind
  interval: Interval
  windows: readonly Window[]
  /** Values of the period before, by the index of the window. */
  previous: readonly (number | null)[] | undefined
}

export interface PlotEvents {
  /** The window at the cursor, and where its middle is, in CSS pixels from the left edge of the host. */
  onCursor: (index: number | null, leftPx: number) => void
  /** The first and last window in view. */
  onRange: (first: number, last: number) => void
}

export interface Plot {
  setContent: (content: PlotContent) => void
  setHidden: (hidden: ReadonlySet<Part>) => void
  /** Moves the cursors of all charts that share it. */
  setCursor: (index: number | null) => void
  /** Zooms all charts that share a cursor. */
  setRange: (first: number, last: number) => void
  destroy: () => void
}

const AXIS_FONT_PX = 11
/** Enough for most labels, so that the plots of a page begin at the same place. */
const NARROWEST_AXIS_PX = 44

/** Without data, there is nothing to label. */
const EMPTY: ValueScale = { min: 0, max: 1, step: 1 }

const plots = new WeakMap<uPlot, { zoomTo: (from: number, to: number) => void }>()

export function createPlot(
  host: HTMLElement,
  initial: PlotContent,
  syncKey: string,
  { onCursor, onRange }: PlotEvents,
): Plot {
  let content = initial
  let hidden: ReadonlySet<Part> = new Set()
  let theme = readTheme(host)
  let range: [number, number] = [0, content.windows.length - 1]
  let scale: ValueScale = EMPTY
  let ticks: Tick[] = []
  let axisSize = NARROWEST_AXIS_PX
  /** Set by keys: the cursor stays there when the chart is zoomed or resized. */
  let cursorIndex: number | null = null

  const font = (): string => `${AXIS_FONT_PX}px ${theme.fontFamily}`
  const canvas = (u: uPlot) => ({ u, ctx: u.ctx, theme, ratio: uPlot.pxRatio })
  const highlight = document.createElement('div')
  highlight.className = 'chart-highlight'

  const { kind } = content
  const columns: Part[] =
    kind === 'bars' ? ['previous', 'main'] : ['previous', 'band', 'band', 'main', 'main']
  const line = { width: 1.75, points: { show: false }, spanGaps: false } as const
  const series: uPlot.Series[] =
    kind === 'bars'
      ? columns.map(() => ({ paths: () => null, points: { show: false } }))
      : [
          { ...line, width: 1.5, stroke: () => theme.previous },
          { ...line, width: 0, stroke: () => 'transparent' },
          { ...line, width: 0, stroke: () => 'transparent' },
          { ...line, stroke: () => theme.tone },
          { ...line, stroke: () => theme.tone },
        ]

  const u = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: host.clientHeight,
      padding: [16, 8, 0, 0],
      legend: { show: false },
      series: [{}, ...series],
      ...(kind === 'lines' && { bands: [{ series: [2, 3], fill: () => theme.band }] }),
      scales: {
        x: { time: false, range: () => toSeconds(range) },
        y: { range: (self, low, high) => chooseRange(self, low, high) },
      },
      axes: [
        {
          font: font(),
          stroke: () => theme.quiet,
          size: 42,
          gap: 6,
          lineGap: 1.35,
          splits: (self, _axis, from, to) => {
            ticks = findTicks(content.windows, content.interval, [from, to], self.bbox.width / uPlot.pxRatio)
            return ticks.map(({ at }) => at)
          },
          values: () => ticks.map(({ label }) => label),
          grid: {
            stroke: () => theme.line,
            width: 1,
            filter: () => ticks.map(({ at, startsDay }) => (startsDay ? at : null)),
          },
          ticks: { stroke: () => theme.line, width: 1, size: 4 },
        },
        {
          font: font(),
          stroke: () => theme.quiet,
          gap: 8,
          size: (self, labels, _axis, cycle) => measureLabels(self, labels, cycle),
          splits: () => listGridLines(scale),
          values: (_self, splits) =>
            scale === EMPTY ? splits.map(() => '') : labelGridLines(splits, scale.step),
          grid: { stroke: () => theme.line, width: 1 },
          ticks: { show: false },
        },
      ],
      cursor: {
        y: false,
        x: kind === 'lines',
        move: (self, left, top) => [toMiddle(self, left), top],
        drag: { x: true, y: false, setScale: false, dist: 6 },
        sync: {
          key: syncKey,
          // Only horizontally: other charts have other units.
          scales: ['x', null],
          setSeries: false,
          // Selections are made in one chart, and zoom the others by time.
          filters: { pub: (type) => type === 'mousemove', sub: () => true },
        },
        points: {
          show: kind === 'lines',
          // Only on the line itself, which is the last two columns.
          size: (_self, index) => (index >= 4 ? 9 : 0),
          width: (_self, index) => (index >= 4 ? 2 : 0),
          fill: () => theme.tone,
          stroke: () => theme.paper,
        },
        bind: { dblclick: () => () => (zoomAll(-Infinity, Infinity), null) },
      },
      hooks: {
        drawClear: [prepare],
        draw: [paint],
        setCursor: [reportCursor],
        setSelect: [zoomToSelection],
      },
    },
    toData(),
    host,
  )
  u.over.prepend(highlight)
  plots.set(u, { zoomTo })

  const stopTheme = watchTheme(() => {
    theme = readTheme(host)
    u.redraw()
  })
  const resizing = new ResizeObserver(() => {
    const [width, height] = [host.clientWidth, host.clientHeight]
    if (width === 0 || (width === u.width && height === u.height)) return
    const [min, max] = toSeconds(range)
    u.batch(() => {
      u.setSize({ width, height })
      // The height determines the number of grid lines; setting the time scale rescales the values as well.
      u.setScale('x', { min, max })
    })
    placeCursor()
  })
  resizing.observe(host)
  u.over.addEventListener('pointerdown', followTouch)
  u.over.addEventListener('pointermove', followTouch)
  u.over.addEventListener('mousemove', () => (cursorIndex = null))

  function toData(): uPlot.AlignedData {
    const { windows, previous } = content
    const x = windows.map(middle)
    const before = windows.map(({ index }) => previous?.[index] ?? null)
    if (kind === 'bars') return [x, before, windows.map(({ value }) => value)]
    const { solid, dashed } = splitLine(windows)
    return [x, before, windows.map(({ max }) => max), windows.map(({ min }) => min), dashed, solid]
  }

  function toSeconds([first, last]: readonly [number, number]): [number, number] {
    return [content.windows[first]?.from ?? 0, content.windows[last]?.to ?? 1]
  }

  function chooseRange(self: uPlot, low: number | null, high: number | null): [number, number] {
    const lines = Math.max(2, Math.floor(self.height / 44))
    const isEmpty = low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)
    scale = isEmpty ? EMPTY : chooseScale(low, high, kind === 'bars', lines)
    return [scale.min, scale.max]
  }

  function measureLabels(self: uPlot, labels: readonly string[] | null, cycle: number): number {
    // Sizes must settle: later cycles keep the first result.
    if (cycle > 1 || labels === null) return axisSize
    self.ctx.save()
    self.ctx.font = font()
    const widest = Math.max(0, ...labels.map((label) => self.ctx.measureText(label).width))
    self.ctx.restore()
    axisSize = Math.max(NARROWEST_AXIS_PX, Math.ceil(widest) + 12)
    return axisSize
  }

  function isShown(part: Part): boolean {
    return !hidden.has(part)
  }

  function prepare(self: uPlot): void {
    // uPlot takes the lengths of dashes in pixels of the canvas, whose ratio can change.
    const dashed = kind === 'lines' ? self.series[4] : undefined
    if (dashed) dashed.dash = [5 * uPlot.pxRatio, 4 * uPlot.pxRatio]
    if (isShown('main')) paintGaps(canvas(self), content.windows)
  }

  function paint(self: uPlot): void {
    const target = canvas(self)
    const { windows, previous } = content
    if (isShown('main')) labelGaps(target, windows)
    if (kind === 'bars') {
      if (isShown('main')) paintBars(target, windows)
      if (previous && isShown('previous')) paintPrevious(target, windows, previous)
    } else if (isShown('main')) paintPoints(target, windows)
    if (isShown('main')) paintTriangles(target, windows)
  }

  /**
   * The middle of the window at a position. Hidden outside of the windows, where the cursor of a chart of another
   * period may be.
   */
  function toMiddle(self: uPlot, left: number): number {
    const isInside = left >= 0 && left <= self.bbox.width / uPlot.pxRatio
    const window = isInside ? content.windows[self.posToIdx(left)] : undefined
    return window ? self.valToPos(middle(window), 'x') : -10
  }

  function reportCursor(self: uPlot): void {
    const { idx, left = -1 } = self.cursor
    const window = left >= 0 && idx !== null && idx !== undefined ? content.windows[idx] : undefined
    highlight.hidden = !window
    if (!window) return onCursor(null, 0)
    const [from, to] = [self.valToPos(window.from, 'x'), self.valToPos(window.to, 'x')]
    highlight.style.translate = `${from}px 0`
    highlight.style.width = `${to - from}px`
    onCursor(window.index, self.bbox.left / uPlot.pxRatio + (from + to) / 2)
  }

  /** uPlot follows the mouse only. */
  function followTouch({ pointerType, clientX }: PointerEvent): void {
    if (pointerType !== 'touch') return
    cursorIndex = u.posToIdx(clientX - u.over.getBoundingClientRect().left)
    placeCursor()
  }

  function zoomToSelection(self: uPlot): void {
    const { left, width } = self.select
    if (width <= 0) return
    const [first, last] = [self.posToIdx(left), self.posToIdx(left + width)]
    self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    zoomAll(...toSeconds([Math.min(first, last), Math.max(first, last)]))
  }

  function applyRange(first: number, last: number): void {
    range = [first, last]
    const [min, max] = toSeconds(range)
    // Immediately, because the cursor is placed by the new scale.
    u.batch(() => u.setScale('x', { min, max }))
    placeCursor()
    onRange(first, last)
  }

  /** Shows the windows between two times, unless there are too few for a chart, as for a chart of another period. */
  function zoomTo(from: number, to: number): void {
    const { windows } = content
    const inside = windows.filter((window) => window.to > from && window.from < to)
    const [first, last] = [inside[0], inside.at(-1)]
    if (first && last && inside.length >= Math.min(2, windows.length)) applyRange(first.index, last.index)
  }

  function zoomAll(from: number, to: number): void {
    for (const plot of uPlot.sync(syncKey).plots) plots.get(plot)?.zoomTo(from, to)
  }

  /** `setCursor` takes pixels, which change when the chart is zoomed or resized. */
  function placeCursor(): void {
    const window = cursorIndex === null ? undefined : content.windows[cursorIndex]
    if (!window) return
    const seconds = middle(window)
    for (const plot of uPlot.sync(syncKey).plots) {
      const { min, max } = plot.scales['x'] ?? {}
      const isInView = min !== undefined && max !== undefined && seconds >= min && seconds <= max
      plot.setCursor(isInView ? { left: plot.valToPos(seconds, 'x'), top: 0 } : { left: -10, top: -10 })
    }
  }

  return {
    setContent(next) {
      const [before, after] = [content.windows, next.windows]
      const isSameRange =
        before.length === after.length &&
        before[0]?.from === after[0]?.from &&
        before.at(-1)?.to === after.at(-1)?.to
      content = next
      // New data does not reset the zoom.
      if (!isSameRange) {
        cursorIndex = null
        range = [0, after.length - 1]
      }
      u.setData(toData(), true)
      if (!isSameRange) onRange(...range)
    },
    setHidden(next) {
      hidden = next
      u.batch(() => {
        for (const [index, part] of columns.entries()) u.setSeries(index + 1, { show: isShown(part) })
      })
    },
    setCursor(index) {
      cursorIndex = index
      if (index !== null) placeCursor()
      else for (const plot of uPlot.sync(syncKey).plots) plot.setCursor({ left: -10, top: -10 })
    },
    setRange(first, last) {
      zoomAll(...toSeconds([first, last]))
    },
    destroy() {
      stopTheme()
      resizing.disconnect()
      u.destroy()
    },
  }
}
