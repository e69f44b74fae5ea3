import type { WeeklySchedule } from '@portico/sdk'
import type { VNode } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { Frame, type Tone } from '../frame.tsx'
import { useWidth } from './use-width.ts'
import {
  DAY_NAMES,
  DAYS,
  formatMinute,
  formatTarget,
  layOutWeekPlan,
  MINUTES_OF_DAY,
  type PlanSegment,
  toPlanShade,
} from './week-plan-layout.ts'

interface Props {
  title?: string
  plan: Pick<WeeklySchedule, 'default' | 'periods'>
  tone?: Tone
}

const LABEL_PX = 40
const ROW_PX = 30
const GAP_PX = 4
const AXIS_PX = 20
/** A character of a label; a label is left out where it does not fit. */
const CHARACTER_PX = 6.5

/** The week of a device: a row for each day, with its targets. */
export function WeekPlan({ title = 'Week plan', plan, tone = 4 }: Props): VNode {
  const segments = useMemo(() => layOutWeekPlan(plan), [plan])
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const count = plan.periods.length
  const caption =
    count === 0
      ? `${formatTarget(plan.default)} all week`
      : `${count} ${count === 1 ? 'period' : 'periods'}; otherwise ${formatTarget(plan.default)}`
  return (
    <Frame title={title} caption={caption} tone={tone}>
      <div class="chart-week" ref={box} aria-hidden>
        {width > 0 && <Picture segments={segments} width={width} />}
      </div>
      <details class="chart-table">
        <summary>As a table</summary>
        <div class="chart-table-scroll" tabIndex={0} role="region" aria-label={`Table: ${title}`}>
          <table>
            <caption>{`${title}, ${caption}`}</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Target</th>
              </tr>
            </thead>
            <tbody>
              {segments.map(({ day, from, to, target, isDefault }) => (
                <tr key={`${day}${from}`}>
                  <th scope="row">{DAY_NAMES[day]}</th>
                  <td>{formatMinute(from)}</td>
                  <td>{formatMinute(to)}</td>
                  <td>{formatTarget(target) + (isDefault ? ' (default)' : '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Frame>
  )
}

function Picture({ segments, width }: { segments: readonly PlanSegment[]; width: number }): VNode {
  const height = DAYS.length * ROW_PX
  const toX = (minute: number): number => LABEL_PX + (minute / MINUTES_OF_DAY) * (width - LABEL_PX - 1)
  const hours = width < 480 ? [0, 6, 12, 18, 24] : [0, 3, 6, 9, 12, 15, 18, 21, 24]
  return (
    <svg width={width} height={height + AXIS_PX} viewBox={`0 0 ${width} ${height + AXIS_PX}`}>
      {DAYS.map((day, row) => (
        <text
          class="chart-label"
          key={day}
          x={0}
          y={row * ROW_PX + ROW_PX / 2 - GAP_PX / 2}
          dominant-baseline="central"
        >
          {DAY_NAMES[day].slice(0, 3)}
        </text>
      ))}
      {segments.map((segment) => {
        const { day, from, to, target } = segment
        const [left, right] = [toX(from), toX(to)]
        const top = DAYS.indexOf(day) * ROW_PX
        const text = formatTarget(target)
        return (
          <g key={`${day}${from}`}>
            <rect
              class={`chart-plan chart-plan-${toPlanShade(segment, segments)}`}
              x={left + 0.5}
              y={top}
              width={Math.max(1, right - left - 1)}
              height={ROW_PX - GAP_PX}
              rx={4}
            />
            {text.length * CHARACTER_PX + 8 <= right - left && (
              <text
                class={`chart-plan-label chart-plan-label-${toPlanShade(segment, segments)}`}
                x={(left + right) / 2}
                y={top + (ROW_PX - GAP_PX) / 2}
                text-anchor="middle"
                dominant-baseline="central"
              >
                {text}
              </text>
            )}
          </g>
        )
      })}
      {hours.map((hour) => (
        <text
          class="chart-label"
          key={hour}
          x={toX(hour * 60)}
          y={height + AXIS_PX - 5}
          text-anchor={hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle'}
        >
          {formatMinute(hour * 60)}
        </text>
      ))}
    </svg>
  )
}
