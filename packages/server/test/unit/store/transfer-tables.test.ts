import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TRANSFER_TABLES } from '../../../src/store/transfer-tables.ts'

const STORES = join(import.meta.dirname, '../../../src/store')

/** Tables that are copied under another name, rebuilt, or not part of an installation. */
const OTHERWISE: Record<string, readonly string[]> = {
  // Compacted before a copy; copied as readings; part of site_state; used by a running server; the copy itself; derived from readings;
  // a damaged store is not copied; retried by maintenance of the target; counted by the servers of the source.
  sqlite: [
    'journal',
    'reading_days',
    'journal_state',
    'rollup_versions',
    'unfinished_copy',
    'series_days',
    'damaged_readings',
    'maintenance_failures',
    'import_counts',
  ],
  // Derived from sites, buildings, spaces and devices; from commands; copied as readings; the copy itself; used by running servers;
  // as above; used by running servers.
  postgres: [
    'identifiers',
    'commanded_devices',
    'boundary_readings',
    'unfinished_copy',
    'leases',
    'simulations',
    'maintenance_failures',
    'import_counts',
    'rollup_versions',
  ],
}

/** The tables that exist after all migrations of a store. Unlogged tables hold nothing that is worth a copy. */
function listTables(store: string): string[] {
  const tables = new Set<string>()
  for (const file of globSync(`${store}/migrations/*.sql`, { cwd: STORES }).toSorted()) {
    const sql = readFileSync(join(STORES, file), 'utf8')
    for (const [, created, dropped, from, to] of sql.matchAll(CHANGED_TABLE)) {
      if (created !== undefined) tables.add(created)
      if (dropped !== undefined) tables.delete(dropped)
      if (from !== undefined && to !== undefined && tables.delete(from)) tables.add(to)
    }
  }
  return [...tables]
}

const CHANGED_TABLE = /^(?:CREATE TABLE (\w+)|DROP TABLE (\w+)|ALTER TABLE (\w+) RENAME TO (\w+))/gm

for (const [store, otherwise] of Object.entries(OTHERWISE)) {
  test(`every table of ${store} is copied, or there is a reason`, () => {
    const made = listTables(store)
    const copied = TRANSFER_TABLES.map(({ name }) => name)
    assert.ok(made.length > 20)
    assert.deepEqual(
      made.filter((name) => !copied.includes(name) && !otherwise.includes(name)),
      [],
    )
    assert.deepEqual(
      otherwise.filter((name) => !made.includes(name)),
      [],
    )
  })
}
