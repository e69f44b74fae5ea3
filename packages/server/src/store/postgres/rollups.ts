import type { RollupStore, StoredRow } from '../../aggregate/store.ts'
import { askTogether } from '../../lib/together.ts'
import { firstDayOf } from '../../metric/local-day.ts'
import { dayOf } from '../../reading/packed-day.ts'
import { describeDamage } from '../damage-reports.ts'
import { DamagedData } from '../damaged-data.ts'
import type { DamagedRow } from '../store.ts'
import type { Sql } from './connect.ts'
import type { Ask } from './reading-questions.ts'
import { isIntact, NUMBER_COLUMN, type RollupTable } from './sealed-days.ts'
import { siteState } from './site-state.ts'

/** Rows of one series, from a number to another. */
interface RowQuestion {
  siteUuid: string
  seriesId: number
  from: number
  to: number
}

/** A statement costs more than the rows it brings: what several requests of a site ask for at once is one. */
export function postgresRollups(ask: Ask, onDamage: OnDamage = () => {}): RollupStore {
  const asker = (table: keyof typeof NUMBER_COLUMN) => {
    const rows = askTogether(
      ({ siteUuid }: RowQuestion) => siteUuid,
      (questions) => ask((sql) => readRows(sql, table, questions, onDamage)),
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

/** A row that failed its check. */
export interface DamagedRollup extends DamagedRow {
  table: RollupTable
  seriesId: number
  number: number
}

type OnDamage = (siteUuid: string, row: DamagedRollup) => void

const REASON = 'the checksum is wrong'

/** Skips a damaged row, so that its values are computed from the readings. Throws if the readings have been dropped. */
async function leaveOut(sql: Sql, siteUuid: string, row: DamagedRollup, onDamage: OnDamage): Promise<void> {
  onDamage(siteUuid, row)
  const { table, number } = row
  const finalBefore = (await siteState(sql, siteUuid))?.finalBefore ?? 0
  const first = table === 'rollup_months' ? firstDayOf(number) : number
  // A local day starts up to a day before or after the UTC day with its number.
  if (table === 'rollup_quarters' || (finalBefore > 0 && first <= dayOf(finalBefore) + 2))
    throw new DamagedData(describeDamage(row), row)
}

/** Of questions about one site, each its rows. */
async function readRows(
  sql: Sql,
  table: keyof typeof NUMBER_COLUMN,
  questions: readonly RowQuestion[],
  onDamage: OnDamage,
): Promise<StoredRow[][]> {
  const [one] = questions
  if (!one) return []
  const column = sql(NUMBER_COLUMN[table])
  const rows = await sql<(StoredRow & { place: number; checksum: number | null })[]>`
    SELECT asked.place, ${column} AS number, cells, checksum
    FROM unnest(${questions.map(({ seriesId }) => seriesId)}::bigint[], ${questions.map(({ from }) => from)}::integer[],
      ${questions.map(({ to }) => to)}::integer[]) WITH ORDINALITY AS asked (series_id, first, last, place)
    JOIN ${sql(table)} AS rollup ON rollup.site_uuid = ${one.siteUuid}
      AND rollup.series_id = asked.series_id AND ${column} BETWEEN asked.first AND asked.last`
  const answers: StoredRow[][] = questions.map(() => [])
  for (const { place, number, cells, checksum } of rows) {
    const seriesId = questions[place - 1]?.seriesId ?? 0
    if (isIntact(table, { seriesId, number, cells, checksum })) answers[place - 1]?.push({ number, cells })
    else await leaveOut(sql, one.siteUuid, { table, seriesId, number, reason: REASON }, onDamage)
  }
  return answers
}
