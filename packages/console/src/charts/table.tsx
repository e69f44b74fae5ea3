import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { formatExactly } from './format.ts'
import type { TableTwin as Content } from './table.ts'

interface Props {
  caption: string
  /** Made when the table is opened: a series can have thousands of windows. */
  makeTable: () => Content
  unit: string
  isOpen?: boolean
}

/** The numbers of a chart as text, for users who cannot see the chart or want to copy them. */
export function TableTwin({ caption, makeTable, unit, isOpen = false }: Props): VNode {
  const [open, setOpen] = useState(isOpen)
  return (
    <details
      class="chart-table"
      open={open || isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>As a table</summary>
      {(open || isOpen) && <Table caption={caption} unit={unit} {...makeTable()} />}
    </details>
  )
}

function Table({ caption, unit, columns, rows }: Content & { caption: string; unit: string }): VNode {
  const hasQuality = rows.some(({ quality }) => quality !== '')
  return (
    <div class="chart-table-scroll" tabIndex={0} role="region" aria-label={`Table: ${caption}`}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.map((column) => (
              <th scope="col" key={column} class="chart-number">
                {column}
                {unit && `, ${unit}`}
              </th>
            ))}
            {hasQuality && <th scope="col">Quality</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ timestamp, time, numbers, quality }) => (
            <tr key={timestamp}>
              <th scope="row">
                <time dateTime={timestamp}>{time}</time>
              </th>
              {numbers.map((number, index) => (
                <td key={columns[index]} class="chart-number">
                  {number === null ? '–' : <data value={String(number)}>{formatExactly(number)}</data>}
                </td>
              ))}
              {hasQuality && <td>{quality}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
