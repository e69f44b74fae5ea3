import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from './folder.ts'
import { migratedDatabase } from './postgres.ts'

interface Backend {
  name: string
  /** A new, migrated store that is closed after the test. */
  open(test: TestContext, options?: { rawRetentionMs?: number }): Promise<Store>
}

/** Every contract suite runs on each of these. */
export const BACKENDS: readonly Backend[] = [
  {
    name: 'sqlite',
    async open(test, options) {
      const store = openSqliteStore(join(temporaryFolder(test), 'portico.db'), options)
      test.after(() => store.close())
      await store.migrate()
      return store
    },
  },
  {
    name: 'postgres',
    async open(test, options) {
      const database = await migratedDatabase(test)
      return database.open(options)
    },
  },
]
