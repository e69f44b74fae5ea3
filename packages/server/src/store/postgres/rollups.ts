import type { RollupStore, StoredRow } from '../../aggregate/store.ts'
import { askTogether } from '../../lib/together.ts'
import type { Sql } from './connect.ts'
import type { Ask } from './reading-questions.ts'
import { NUMBER_COLUMN } from './sealed-days.ts'

/** Rows of one series, from a number to another. */
interface RowQuestion {
  siteUuid: string
  seriesId: number
  from: number
  to: number
}

/** A statement costs more than the rows it brings: what several requests of a site ask for at once is one. */
export function postgresRollups(ask: Ask): RollupStore {
  const asker = (table: keyof typeof NUMBER_COLUMN) => {
    const rows = askTogether(
      ({ siteUuid }: RowQuestion) => siteUuid,
      (questions) => ask((sql) => readRows(sql, table, questions)),
    )
    return (siteUuid: string, seriesId: number, from: number, to: number): Promise<StoredRow[]> =>
      rows({ siteUuid, seriesId, from, to })
  }
  return {
    days: asker('rollup_days'),
    months: asker('rollup_months'),
    quarters: asker('rollup_quarters'),
  }
}

/** Of questions about one site, each its rows. */
async function readRows(
  sql: Sql,
  table: keyof typeof NUMBER_COLUMN,
  questions: readonly RowQuestion[],
): Promise<StoredRow[][]> {
  const [one] = questions
  if (!one) return []
  const column = sql(NUMBER_COLUMN[table])
  const rows = await sql<(StoredRow & { place: number })[]>`
    SELECT asked.place, ${column} AS number, cells
    FROM unnest(${questions.map(({ seriesId }) => seriesId)}::bigint[], ${questions.map(({ from }) => from)}::integer[],
      ${questions.map(({ to }) => to)}::integer[]) WITH ORDINALITY AS asked (series_id, first, last, place)
    JOIN ${sql(table)} AS rollup ON rollup.site_uuid = ${one.siteUuid}
      AND rollup.series_id = asked.series_id AND ${column} BETWEEN asked.first AND asked.last`
  const answers: StoredRow[][] = questions.map(() => [])
  for (const { place, number, cells } of rows) answers[place - 1]?.push({ number, cells })
  return answers
}
