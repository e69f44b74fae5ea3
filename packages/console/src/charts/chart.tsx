import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { writeCaption } from './caption.ts'
import { formatUnit } from './format.ts'
import { Frame, getTone, type Tone } from './frame.tsx'
import { pressKey } from './keyboard.ts'
import { Legend } from './legend.tsx'
import type { Kind, Part, Plot, PlotContent } from './plot/plot.ts'
import { findMarks } from './quality.ts'
import { type CursorPosition, describeCursor, Readout } from './readout.tsx'
import type { ChartSeries } from './series.ts'
import { Skeleton } from './skeleton.tsx'
import { Spoken, useSpoken } from './spoken.tsx'
import { toTable } from './table.ts'
import { TableTwin } from './table.tsx'
import { toWindows } from './windows.ts'

export interface ChartProps {
  /** The name of the metric, such as `Electricity`. */
  title: string
  series: ChartSeries
  /** The period before, aligned by the index of its windows. */
  previous?: ChartSeries | undefined
  /** Height of the plot, in CSS pixels. */
  height?: number
  /** Charts with the same key share a cursor. By default, all charts of a page do. */
  syncKey?: string
  /** By default, the one of the metric. */
  tone?: Tone
}

const HELP =
  'Arrow keys move the cursor, with Shift by ten; Home and End go to the edges; plus and minus zoom; Escape resets.'

/** uPlot is loaded when the first chart is shown. Caption and table do not wait for it. */
const loadPlot = () => import('./plot/plot.ts')

export function Chart(props: ChartProps & { kind: Kind }): VNode {
  const {
    title,
    kind,
    series,
    previous,
    height = 240,
    syncKey = 'page',
    tone = getTone(series.metricType),
  } = props
  const windows = useMemo(() => toWindows(series), [series])
  const caption = useMemo(() => writeCaption(series, windows), [series, windows])
  const marks = useMemo(() => findMarks(windows), [windows])
  const hasBand = kind === 'lines' && series.min !== undefined && series.max !== undefined
  const [hidden, setHidden] = useState<ReadonlySet<Part>>(new Set())
  const [range, setRange] = useState<[number, number]>([0, windows.length - 1])
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [spoken, say] = useSpoken()
  const cursor = useSignal<CursorPosition | null>(null)
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const helpId = useId()

  const content: PlotContent = { kind, interval: series.interval, windows, previous: previous?.values }
  const newest = useRef(content)
  newest.current = content

  useEffect(() => {
    let isGone = false
    const start = async (): Promise<void> => {
      const { createPlot } = await loadPlot()
      const element = host.current
      if (isGone || !element) return
      plot.current = createPlot(element, newest.current, syncKey, {
        onCursor: (index, left) => {
          cursor.value = index === null ? null : { index, left, width: element.clientWidth }
        },
        onRange: (first, last) => setRange([first, last]),
      })
      setState('ready')
    }
    start().catch((error: unknown) => {
      setState('failed')
      reportError(error)
    })
    return () => {
      isGone = true
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [kind, syncKey])
  useEffect(() => plot.current?.setContent(newest.current), [windows, previous])
  useEffect(() => plot.current?.setHidden(hidden), [hidden, state])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !plot.current) return
    const [first, last] = range
    const before = { cursor: cursor.value?.index ?? null, first, last }
    const view = pressKey(before, event, windows.length)
    if (!view) return
    event.preventDefault()
    // Esc would also close a dialog around the chart.
    event.stopPropagation()
    if (view.first !== first || view.last !== last) plot.current.setRange(view.first, view.last)
    plot.current.setCursor(view.cursor)
    const window = view.cursor === null ? undefined : windows[view.cursor]
    if (window) say(describeCursor(window, series))
  }

  const toggle = (part: Part): void =>
    setHidden((now) => new Set(now.has(part) ? [...now].filter((other) => other !== part) : [...now, part]))
  const isZoomed = range[0] > 0 || range[1] < windows.length - 1
  const parts: Part[] = [
    'main',
    ...(hasBand ? (['band'] as const) : []),
    ...(previous ? (['previous'] as const) : []),
  ]

  return (
    <Frame
      title={title}
      unit={formatUnit(series.unit)}
      caption={caption}
      tone={tone}
      legend={
        <Legend
          kind={kind}
          parts={parts}
          hidden={hidden}
          onToggle={toggle}
          marks={marks}
          onReset={isZoomed ? () => plot.current?.setRange(0, windows.length - 1) : undefined}
        />
      }
    >
      <div
        class="chart-plot"
        role="application"
        tabIndex={0}
        aria-label={`${title}, chart`}
        aria-describedby={helpId}
        aria-busy={state === 'loading'}
        onKeyDown={onKeyDown}
        onBlur={() => plot.current?.setCursor(null)}
      >
        <div class="chart-canvas" ref={host} style={{ height: `${height}px` }} aria-hidden />
        {state === 'loading' && <Skeleton />}
        {state === 'failed' && (
          <p class="chart-failed">The chart could not be loaded. The table has its numbers.</p>
        )}
        <Readout cursor={cursor} series={series} windows={windows} previous={previous} />
      </div>
      <span id={helpId} hidden>
        {HELP}
      </span>
      <Spoken text={spoken} />
      <TableTwin
        caption={`${title}, ${caption}`}
        unit={formatUnit(series.unit)}
        makeTable={() => toTable(series, windows, previous)}
        isOpen={state === 'failed'}
      />
    </Frame>
  )
}
