import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TRANSFER_TABLES } from '../../../src/store/transfer-tables.ts'

const STORES = join(import.meta.dirname, '../../../src/store')

/** Tables that are copied under another name, rebuilt, or not part of an installation. */
const OTHERWISE: Record<string, readonly string[]> = {
  // Compacted before a copy; readings; site_marks; site_marks; state of a running server; the copy itself; derived from
  // readings; a damaged store is not copied; retried by the target's maintenance.
  sqlite: [
    'journal',
    'reading_days',
    'journal_state',
    'sealed',
    'rollup_versions',
    'unfinished_copy',
    'series_days',
    'damaged_readings',
    'maintenance_failures',
  ],
  // Derived from sites, buildings, spaces and devices; from commands; readings; site_marks; the copy itself; state of
  // running servers.
  postgres: [
    'identifiers',
    'commanded_devices',
    'edge_readings',
    'site_state',
    'unfinished_copy',
    'leases',
    'simulations',
    'maintenance_failures',
  ],
}

for (const [store, otherwise] of Object.entries(OTHERWISE)) {
  test(`every table of ${store} is copied, or there is a reason`, () => {
    const migrations = globSync(`${store}/migrations/*.sql`, { cwd: STORES })
    const made = migrations.flatMap((file) =>
      [...readFileSync(join(STORES, file), 'utf8').matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name),
    )
    const copied = TRANSFER_TABLES.map(({ name }) => name)
    assert.ok(made.length > 20)
    assert.deepEqual(
      made.filter((name) => name !== undefined && !copied.includes(name) && !otherwise.includes(name)),
      [],
    )
    assert.deepEqual(
      otherwise.filter((name) => !made.includes(name)),
      [],
    )
  })
}
