import { at } from '../../../kernel/at.ts'
import type { RollupStore, RollupRow } from '../../../domain/telemetry/rollup/store.ts'
import { createBatcher } from '../../../kernel/batcher.ts'
import { describeDamage, DamagedData } from '../../damage.ts'
import { type DamagedRollup, type RollupTable, verifyCells } from './checksummed-cells.ts'
import type { Sql } from '../pool/connect.ts'
import type { RunQuery } from '../readings/read-readings.ts'
import { canRebuild } from './rebuild-rollup.ts'
import { NUMBER_COLUMN } from './rollup-rows.ts'
import { siteState } from './site-state.ts'

/** A query for the rows of one series in a range of days or months. */
interface RowQuestion {
  siteUuid: string
  seriesId: number
  from: number
  to: number
}

/** Batches the queries of a site per tick: the cost is in the statement, not in its rows. */
export function postgresRollups(ask: RunQuery, onDamage: OnDamage = () => {}): RollupStore {
  const asker = (table: RollupTable) => {
    const rows = createBatcher({
      key: ({ siteUuid }: RowQuestion) => siteUuid,
      flush: (questions) => ask((sql) => readRows(sql, table, questions, onDamage)),
      when: 'tick',
    })
    return async (siteUuid: string, seriesId: number, from: number, to: number): Promise<RollupRow[]> => {
      const outcome = await rows({ siteUuid, seriesId, from, to })
      if (outcome instanceof DamagedData) throw outcome
      return outcome
    }
  }
  return {
    days: asker('rollup_days'),
    months: asker('rollup_months'),
    quarters: asker('rollup_quarter_hours'),
  }
}

/** Called for each damaged row that a read finds. */
export type OnDamage = (siteUuid: string, row: DamagedRollup, isRebuildable: boolean) => void

const REASON = 'the checksum is wrong'

/** The result of each query, all of one site: rows, or the damage that prevents it. */
async function readRows(
  sql: Sql,
  table: RollupTable,
  questions: readonly RowQuestion[],
  onDamage: OnDamage,
): Promise<(RollupRow[] | DamagedData)[]> {
  const [one] = questions
  if (!one) return []
  const column = sql(NUMBER_COLUMN[table])
  const rows = await sql<(RollupRow & { place: number })[]>`
    SELECT asked.place, ${column} AS number, cells
    FROM unnest(${questions.map(({ seriesId }) => seriesId)}::bigint[], ${questions.map(({ from }) => from)}::integer[],
      ${questions.map(({ to }) => to)}::integer[]) WITH ORDINALITY AS asked (series_id, first, last, place)
    JOIN ${sql(table)} AS rollup ON rollup.site_uuid = ${one.siteUuid}
      AND rollup.series_id = asked.series_id AND ${column} BETWEEN asked.first AND asked.last`
  const answers: RollupRow[][] = questions.map(() => [])
  const damaged: { place: number; row: DamagedRollup }[] = []
  for (const { place, number, cells } of rows) {
    const { seriesId } = at(questions, place - 1)
    const own = verifyCells(table, { seriesId, number, cells })
    if (own) at(answers, place - 1).push({ number, cells: own })
    else damaged.push({ place, row: { table, seriesId, number, reason: REASON } })
  }
  return damaged.length === 0 ? answers : withoutDamaged(sql, one.siteUuid, answers, damaged, onDamage)
}

/** Values of a damaged row are computed from the readings; if these are deleted, queries that need the row fail. */
async function withoutDamaged(
  sql: Sql,
  siteUuid: string,
  answers: readonly RollupRow[][],
  damaged: readonly { place: number; row: DamagedRollup }[],
  onDamage: OnDamage,
): Promise<(RollupRow[] | DamagedData)[]> {
  const state = await siteState(sql, siteUuid)
  const outcomes: (RollupRow[] | DamagedData)[] = [...answers]
  for (const { place, row } of damaged) {
    const isRebuildable = canRebuild(state, row)
    onDamage(siteUuid, row, isRebuildable)
    if (!isRebuildable) outcomes[place - 1] = new DamagedData(describeDamage(row), row)
  }
  return outcomes
}
