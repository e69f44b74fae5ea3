import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from './folder.ts'
import { CITUS, citusDatabase, migratedDatabase } from './postgres.ts'

interface OpenOptions {
  rawRetentionMs?: number
}

/** Opens a store at one location, migrated; closed after the test. */
type Open = (options?: OpenOptions) => Promise<Store>

interface Backend {
  name: string
  /** An empty location. */
  locate(test: TestContext): Promise<Open>
  /** A new store. */
  open(test: TestContext, options?: OpenOptions): Promise<Store>
}

const backend = (name: string, locate: Backend['locate']): Backend => ({
  name,
  locate,
  open: async (test, options) => (await locate(test))(options),
})

/** Every contract suite runs on each of these. */
export const BACKENDS: readonly Backend[] = [
  backend('sqlite', async (test) => {
    const file = join(temporaryFolder(test), 'portico.db')
    return async (options) => {
      const store = openSqliteStore(file, options)
      test.after(() => store.close())
      await store.migrate()
      return store
    }
  }),
  backend('postgres', async (test) => {
    const database = await migratedDatabase(test)
    return async (options) => database.open(options)
  }),
  ...(CITUS.isNamed
    ? [
        backend('citus', async (test) => {
          const database = await citusDatabase(test)
          return async (options) => database.open(options)
        }),
      ]
    : []),
]
