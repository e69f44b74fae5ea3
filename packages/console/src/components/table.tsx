import type { ComponentChildren, JSX } from 'preact'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'

export interface Column<T> {
  header: string
  cell: (row: T) => ComponentChildren
  /** Numbers are aligned on the right. */
  isNumber?: boolean
  /** Left out on narrow screens. */
  isMinor?: boolean
}

interface DataTableProps<T> {
  /** Describes the rows to assistive technology. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  toKey: (row: T) => string
  /** Opens below a row. */
  detail?: (row: T) => ComponentChildren
  /** Text of the button that opens it. */
  detailLabel?: string
  /** Whether a row becomes a block of lines on a phone; by default, if it has more than three cells there. */
  isStacked?: boolean
  /** Loads further rows; undefined if there are none. */
  loadMore?: (() => void) | undefined
}

/** Rows that are added by "More", so that a long list costs the browser little. */
const STEP_ROWS = 200

/** Cells that fit beside each other on a phone. */
const MOST_CELLS = 3

/** Records as a table. The first column names the row. */
export function DataTable<T>({
  caption,
  columns,
  rows,
  toKey,
  detail,
  detailLabel = 'Show',
  isStacked = columns.filter(({ isMinor }) => !isMinor).length + (detail ? 1 : 0) > MOST_CELLS,
  loadMore,
}: DataTableProps<T>): JSX.Element {
  const [open, setOpen] = useState<string>()
  const [count, setCount] = useState(STEP_ROWS)
  const showMore = (): void => {
    setCount(count + STEP_ROWS)
    if (rows.length < count + STEP_ROWS) loadMore?.()
  }
  const toClass = ({ isNumber, isMinor }: Column<T>): string =>
    [isNumber ? 'number' : '', isMinor ? 'minor' : ''].join(' ').trim()
  return (
    <>
      <div
        class={isStacked ? 'table stacked' : 'table'}
        role="region"
        aria-label={`Table: ${caption}`}
        tabIndex={0}
      >
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.header} scope="col" class={toClass(column)}>
                  {column.header}
                </th>
              ))}
              {detail && (
                <th scope="col">
                  <span class="hidden">Details</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row) => {
              const key = toKey(row)
              return (
                <Fragment key={key}>
                  <tr>
                    {columns.map((column, index) =>
                      index === 0 ? (
                        <th key={column.header} scope="row" class={toClass(column)}>
                          {column.cell(row)}
                        </th>
                      ) : (
                        <td key={column.header} class={toClass(column)} data-label={column.header}>
                          {column.cell(row)}
                        </td>
                      ),
                    )}
                    {detail && (
                      <td class="number opens">
                        <button
                          type="button"
                          class="button small ghost"
                          aria-expanded={open === key}
                          onClick={() => setOpen(open === key ? undefined : key)}
                        >
                          {open === key ? 'Hide' : detailLabel}
                        </button>
                      </td>
                    )}
                  </tr>
                  {detail && open === key && (
                    <tr class="detail">
                      <td colSpan={columns.length + 1}>{detail(row)}</td>
                    </tr>
                  )}
                </Fragment>
              )
            })}
          </tbody>
        </table>
      </div>
      {(loadMore !== undefined || rows.length > count) && (
        <button type="button" class="button" onClick={showMore}>
          More
        </button>
      )}
    </>
  )
}
