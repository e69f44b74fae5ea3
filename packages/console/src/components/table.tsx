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
  loadMore?: (() => void) | undefined
}

/** Records as a table. The first column names the row. */
export function DataTable<T>({
  caption,
  columns,
  rows,
  toKey,
  detail,
  detailLabel = 'Show',
  loadMore,
}: DataTableProps<T>): JSX.Element {
  const [open, setOpen] = useState<string>()
  const toClass = ({ isNumber, isMinor }: Column<T>): string =>
    [isNumber ? 'number' : '', isMinor ? 'minor' : ''].join(' ').trim()
  return (
    <>
      <div class="table" role="region" aria-label={`Table: ${caption}`} tabIndex={0}>
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
            {rows.map((row) => {
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
                        <td key={column.header} class={toClass(column)}>
                          {column.cell(row)}
                        </td>
                      ),
                    )}
                    {detail && (
                      <td class="number">
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
      {loadMore && (
        <button type="button" class="button" onClick={loadMore}>
          More
        </button>
      )}
    </>
  )
}
