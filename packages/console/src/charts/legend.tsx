import type { VNode } from 'preact'
import type { Kind, Part } from './plot/plot.ts'
import { type findMarks, MARK_LABELS, type Mark } from './quality.ts'

interface Props {
  kind: Kind
  parts: readonly Part[]
  hidden: ReadonlySet<Part>
  onToggle: (part: Part) => void
  marks: ReturnType<typeof findMarks>
  /** Undefined if nothing is zoomed. */
  onReset: (() => void) | undefined
}

const PART_LABELS: Record<Part, string> = {
  main: 'This period',
  previous: 'Period before',
  band: 'Lowest to highest',
}

export function Legend({ kind, parts, hidden, onToggle, marks, onReset }: Props): VNode | null {
  const hasParts = parts.length > 1
  if (!hasParts && marks.length === 0 && !onReset) return null
  return (
    <div class="chart-legend">
      {hasParts &&
        parts.map((part) => (
          <button type="button" key={part} aria-pressed={!hidden.has(part)} onClick={() => onToggle(part)}>
            <PartSwatch part={part} kind={kind} />
            {part === 'main' && !parts.includes('previous') ? 'Mean' : PART_LABELS[part]}
          </button>
        ))}
      {marks.map((mark) => (
        <span class="chart-key" key={mark}>
          <MarkSwatch mark={mark} kind={kind} />
          {MARK_LABELS[mark]}
        </span>
      ))}
      {onReset && (
        <button type="button" class="chart-reset" onClick={onReset}>
          Reset zoom
        </button>
      )}
    </div>
  )
}

const swatch = {
  class: 'chart-swatch',
  width: 16,
  height: 12,
  viewBox: '0 0 16 12',
  'aria-hidden': true,
} as const

function PartSwatch({ part, kind }: { part: Part; kind: Kind }): VNode {
  return (
    <svg {...swatch}>
      {part === 'previous' && <path class="chart-swatch-previous" d="M0 6H16" />}
      {part === 'band' && <rect class="chart-swatch-band" x="0" y="1" width="16" height="10" rx="2" />}
      {part === 'main' && kind === 'lines' && <path class="chart-swatch-line" d="M0 6H16" />}
      {part === 'main' && kind === 'bars' && (
        <rect class="chart-swatch-bar" x="3" y="1" width="10" height="10" rx="2" />
      )}
    </svg>
  )
}

/** The marks as the plot draws them. */
export function MarkSwatch({ mark, kind }: { mark: Mark; kind: Kind }): VNode {
  const isBar = kind === 'bars'
  return (
    <svg {...swatch}>
      {mark === 'estimated' && !isBar && <path class="chart-swatch-line chart-swatch-dashed" d="M0 6H16" />}
      {mark === 'estimated' && isBar && (
        <rect
          class="chart-swatch-estimated chart-swatch-dashed"
          x="3.75"
          y="1.75"
          width="8.5"
          height="8.5"
          rx="2"
        />
      )}
      {mark === 'partial' && !isBar && (
        <>
          <path class="chart-swatch-line" d="M0 6H16" />
          <circle class="chart-swatch-hollow" cx="8" cy="6" r="3.5" />
        </>
      )}
      {mark === 'partial' && isBar && (
        <rect class="chart-swatch-hollow" x="3.75" y="1.75" width="8.5" height="8.5" rx="2" />
      )}
      {mark === 'suspect' && <path class="chart-swatch-suspect" d="M8 1.5L13 10.5H3Z" />}
      {mark === 'missing' && <path class="chart-swatch-hatch" d="M1 6L6 1M1 11L11 1M6 11L15 2M11 11L15 7" />}
    </svg>
  )
}
