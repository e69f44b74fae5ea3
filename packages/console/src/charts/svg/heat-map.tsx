import { type Signal, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { writeCaption } from '../caption.ts'
import { formatQuantity, formatUnit } from '../format.ts'
import { Frame, getTone, type Tone } from '../frame.tsx'
import { MarkSwatch } from '../legend.tsx'
import { findMarks, getMark, MARK_LABELS } from '../quality.ts'
import { type CursorPosition, describeCursor, Readout } from '../readout.tsx'
import type { ChartSeries } from '../series.ts'
import { Spoken, useSpoken } from '../spoken.tsx'
import { toTable } from '../table.ts'
import { TableTwin } from '../table.tsx'
import { toWindows } from '../windows.ts'
import { useWidth } from './use-width.ts'
import { type HeatCell, layOutHeatMap, moveInHeatMap, SHADES } from './heat-map-layout.ts'

interface Props {
  title: string
  /** Windows of one day. */
  series: ChartSeries
  tone?: Tone
}

const NARROWEST_STEP_PX = 15
const WIDEST_STEP_PX = 22
const GAP_PX = 3
const LEFT_PX = 32
const TOP_PX = 18

/** A calendar: weeks are columns, and days with higher values are darker. */
export function HeatMap({ title, series, tone = getTone(series.metricType) }: Props): VNode {
  const windows = useMemo(() => toWindows(series), [series])
  const layout = useMemo(() => layOutHeatMap(windows), [windows])
  const caption = useMemo(() => writeCaption(series, windows), [series, windows])
  const marks = useMemo(() => findMarks(windows), [windows])
  const cursor = useSignal<CursorPosition | null>(null)
  const [spoken, say] = useSpoken()
  const scroller = useRef<HTMLDivElement>(null)
  const [hatchId, helpId] = [useId(), useId()]
  const step = chooseStep(useWidth(scroller), layout.columns)
  const width = LEFT_PX + layout.columns * step
  const height = TOP_PX + 7 * step

  // The newest weeks are of most interest.
  useLayoutEffect(() => scroller.current?.scrollTo({ left: width }), [width])

  const point = (cell: HeatCell | undefined): void => {
    const element = scroller.current
    if (!cell || !element) {
      cursor.value = null
      return
    }
    const left = LEFT_PX + cell.column * step + (step - GAP_PX) / 2 - element.scrollLeft
    cursor.value = { index: cell.window.index, left, width: element.clientWidth }
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const index = moveInHeatMap(cursor.value?.index ?? null, event.key, windows.length)
    if (index === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const cell = index === null ? undefined : layout.cells[index]
    if (cell) {
      scrollTo(scroller.current, LEFT_PX + cell.column * step, step)
      say(describeCursor(cell.window, series))
    }
    point(cell)
  }

  return (
    <Frame
      title={title}
      unit={formatUnit(series.unit)}
      caption={caption}
      tone={tone}
      legend={
        <div class="chart-legend">
          {layout.range && (
            <span class="chart-key">
              {formatQuantity(layout.range[0], series.unit)}
              <svg class="chart-heat-scale" width={SHADES * 15 - 3} height={12} aria-hidden>
                {Array.from({ length: SHADES }, (_, shade) => (
                  <rect
                    key={shade}
                    class={`chart-heat-${shade}`}
                    x={shade * 15}
                    width={12}
                    height={12}
                    rx={2.5}
                  />
                ))}
              </svg>
              {formatQuantity(layout.range[1], series.unit)}
            </span>
          )}
          {marks.map((mark) => (
            <span class="chart-key" key={mark}>
              <MarkSwatch mark={mark} kind="bars" />
              {MARK_LABELS[mark]}
            </span>
          ))}
        </div>
      }
    >
      <div class="chart-plot chart-heat">
        <div
          class="chart-heat-scroll"
          ref={scroller}
          role="application"
          tabIndex={0}
          aria-label={`${title}, calendar`}
          aria-describedby={helpId}
          onKeyDown={onKeyDown}
          onBlur={() => point(undefined)}
          onMouseLeave={() => point(undefined)}
        >
          <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden>
            <pattern
              id={hatchId}
              width="4"
              height="4"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <path class="chart-swatch-hatch" d="M2 0V4" />
            </pattern>
            {layout.months.map(({ column, label }) => (
              <text class="chart-label" key={column} x={LEFT_PX + column * step} y={11}>
                {label}
              </text>
            ))}
            {(['Mon', '', 'Wed', '', 'Fri', '', 'Sun'] as const).map(
              (label, row) =>
                label && (
                  <text class="chart-label" key={label} x={0} y={TOP_PX + row * step + step / 2 + 3}>
                    {label}
                  </text>
                ),
            )}
            <g onMouseOver={({ target }) => point(findCell(target, layout.cells))}>
              {layout.cells.map((cell) => (
                <Cell key={cell.window.timestamp} cell={cell} step={step} hatch={`url(#${hatchId})`} />
              ))}
            </g>
            <CellCursor cells={layout.cells} cursor={cursor} step={step} />
          </svg>
        </div>
        <Readout cursor={cursor} series={series} windows={windows} previous={undefined} />
      </div>
      <span id={helpId} hidden>
        Up and down move by a day, left and right by a week; Home and End go to the edges.
      </span>
      <Spoken text={spoken} />
      <TableTwin
        caption={`${title}, ${caption}`}
        unit={formatUnit(series.unit)}
        makeTable={() => toTable(series, windows)}
      />
    </Frame>
  )
}

/** Cells fill the width, within limits: narrower screens scroll. */
function chooseStep(width: number, columns: number): number {
  const fitting = Math.floor((width - LEFT_PX) / Math.max(1, columns))
  return Math.min(WIDEST_STEP_PX, Math.max(NARROWEST_STEP_PX, fitting))
}

const place = ({ column, row }: HeatCell, step: number) => ({
  x: LEFT_PX + column * step,
  y: TOP_PX + row * step,
  size: step - GAP_PX,
})

function Cell({ cell, hatch, step }: { cell: HeatCell; hatch: string; step: number }): VNode {
  const mark = getMark(cell.window)
  const { x, y, size } = place(cell, step)
  const shade = cell.shade === null ? 'missing' : String(cell.shade)
  const isOutlined = mark !== 'measured' && mark !== 'suspect'
  const inset = isOutlined ? 0.75 : 0
  return (
    <>
      <rect
        data-index={cell.window.index}
        class={`chart-heat-${shade}${isOutlined ? ` chart-heat-${mark}` : ''}`}
        x={x + inset}
        y={y + inset}
        width={size - 2 * inset}
        height={size - 2 * inset}
        rx={2.5}
        {...(mark === 'missing' && { fill: hatch })}
      />
      {mark === 'suspect' && (
        <path
          class="chart-heat-suspect"
          d={`M${x + size / 2} ${y + size * 0.2}L${x + size * 0.84} ${y + size * 0.8}H${x + size * 0.16}Z`}
        />
      )}
    </>
  )
}

interface CellCursorProps {
  cells: readonly HeatCell[]
  cursor: Signal<CursorPosition | null>
  step: number
}

function CellCursor({ cells, cursor, step }: CellCursorProps): VNode | null {
  const cell = cursor.value && cells[cursor.value.index]
  if (!cell) return null
  const { x, y, size } = place(cell, step)
  return <rect class="chart-heat-cursor" x={x - 1.5} y={y - 1.5} width={size + 3} height={size + 3} rx={4} />
}

function findCell(target: EventTarget | null, cells: readonly HeatCell[]): HeatCell | undefined {
  const index = target instanceof SVGElement ? target.dataset['index'] : undefined
  return index === undefined ? undefined : cells[Number(index)]
}

/** Keeps a column in view on narrow screens. */
function scrollTo(element: HTMLElement | null, x: number, step: number): void {
  if (!element) return
  const { scrollLeft, clientWidth } = element
  if (x < scrollLeft + LEFT_PX) element.scrollLeft = x - LEFT_PX
  else if (x > scrollLeft + clientWidth - 2 * step) element.scrollLeft = x - clientWidth + 2 * step
}
