import { at } from '../../kernel/at.ts'
import { transferTable } from '../../store/transfer-tables.ts'
import type { RowKey, TransferRow, TransferStore, TransferTable } from '../../store/transfer.ts'

const SITES = transferTable('sites')
const SERIES = transferTable('series')

export const getRowKey = (table: TransferTable, row: TransferRow): RowKey => row.slice(0, table.key) as RowKey

/** Some rows of a table, and the share of its scopes that precede them. */
export interface Page {
  rows: TransferRow[]
  share: number
}

/** All rows of a table in key order, or those after a key. */
export async function* readPages(
  store: TransferStore,
  table: TransferTable,
  after?: RowKey,
): AsyncGenerator<Page> {
  const scopes = await listScopes(store, table)
  for (const [at, scope] of scopes.entries()) {
    const order = after ? compare(scope, after) : 1
    if (order < 0) continue
    let last = order === 0 ? after?.slice(scope.length) : undefined
    for (;;) {
      const rows = await store.read(table, scope, last, table.page)
      if (rows.length > 0) yield { rows, share: at / scopes.length }
      const end = rows.at(-1)
      if (!end || rows.length < table.page) break
      last = getRowKey(table, end).slice(scope.length)
    }
  }
}

/** The scopes by which a table's rows are read, in order: the whole table, each site, or each series of each site. */
export async function listScopes(store: TransferStore, { of }: TransferTable): Promise<RowKey[]> {
  if (of === 'installation') return [[]]
  const sites: RowKey[] = []
  for await (const { rows } of readPages(store, SITES))
    sites.push(...rows.map((row) => getRowKey(SITES, row)))
  if (of === 'site') return sites
  const series: RowKey[] = []
  for (const site of sites) series.push(...(await listSeries(store, site)))
  return series
}

async function listSeries(store: TransferStore, site: RowKey): Promise<RowKey[]> {
  const ids: number[] = []
  for (let last: RowKey | undefined; ; ) {
    const rows = await store.read(SERIES, site, last, SERIES.page)
    ids.push(...rows.map((row) => Number(row.at(-1))))
    const end = rows.at(-1)
    if (!end || rows.length < SERIES.page) break
    last = getRowKey(SERIES, end).slice(site.length)
  }
  return ids.toSorted((a, b) => a - b).map((seriesId) => [...site, seriesId])
}

/** Negative if the scope is before the key, 0 if it contains the key, positive if it is after the key. */
function compare(scope: RowKey, key: RowKey): number {
  for (const [index, part] of scope.entries()) {
    const other = at(key, index)
    if (part !== other) return part < other ? -1 : 1
  }
  return 0
}
