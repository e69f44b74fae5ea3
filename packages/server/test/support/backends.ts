import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from './folder.ts'
import { CITUS, citusDatabase, migratedDatabase } from './postgres.ts'

interface OpenOptions {
  rawRetentionMs?: number
}

interface Backend {
  name: string
  /** A new, migrated store that is closed after the test. */
  open(test: TestContext, options?: OpenOptions): Promise<Store>
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
  ...(CITUS.isNamed
    ? [
        {
          name: 'citus',
          async open(test: TestContext, options?: OpenOptions) {
            const database = await citusDatabase(test)
            return database.open(options)
          },
        },
      ]
    : []),
]
