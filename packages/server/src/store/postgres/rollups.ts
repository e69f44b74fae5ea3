import type { RollupStore, StoredRow } from '../../aggregate/store.ts'
import { askTogether } from '../../lib/together.ts'
import type { Sql } from './connect.ts'
import type { Ask } from './reading-questions.ts'
import { NUMBER_COLUMN } from './sealed-days.ts'

interface RowQuestion {
  siteUuid: string
  from: number
  to: number
}

const keyOf = ({ siteUuid, from, to }: RowQuestion): string => `${siteUuid} ${from} ${to}`

export function postgresRollups(ask: Ask): RollupStore {
  const asker = (table: keyof typeof NUMBER_COLUMN) => {
    const rows = askTogether(keyOf, (question: RowQuestion, ids) =>
      ask((sql) => readRows(sql, table, question, ids)),
    )
    return async (siteUuid: string, seriesId: number, from: number, to: number): Promise<StoredRow[]> =>
      (await rows({ siteUuid, from, to }, seriesId)) ?? []
  }
  return {
    days: asker('rollup_days'),
    months: asker('rollup_months'),
    quarters: asker('rollup_quarters'),
  }
}

async function readRows(
  sql: Sql,
  table: keyof typeof NUMBER_COLUMN,
  { siteUuid, from, to }: RowQuestion,
  ids: readonly number[],
): Promise<Map<number, StoredRow[]>> {
  const column = sql(NUMBER_COLUMN[table])
  const rows = await sql<(StoredRow & { seriesId: number })[]>`
    SELECT series_id AS "seriesId", ${column} AS number, cells FROM ${sql(table)}
    WHERE site_uuid = ${siteUuid} AND series_id = ANY(${ids}::bigint[])
      AND ${column} BETWEEN ${from} AND ${to}`
  return Map.groupBy(rows, ({ seriesId }) => seriesId)
}
