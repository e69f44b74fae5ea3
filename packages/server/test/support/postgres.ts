import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import postgres from 'postgres'
import { databasesOn } from '../../../../acceptance/support/servers/database-admin.ts'
import { newSalt, newUuid } from '../../src/kernel/ids.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { type Reads, recordReads } from './explain.ts'
import { findBrokenRule } from './statement-rule.ts'

/** A database for one test; several stores can be opened on it, as by several instances. */
export interface TestDatabase {
  url: string
  /** Opens a store; closed after the test. */
  open(options?: PostgresOptions): Store
  /** A connection next to the stores, as the owner of the database; closed after the test. */
  connect(): postgres.Sql
}

/** The PostgreSQL or Citus named in the environment, on which databases can be created. */
function createServer(variable: string, remedy: string, isCitus: boolean) {
  const url = process.env[variable]
  let template: Promise<string> | undefined
  const databases = () => {
    if (url === undefined) throw new Error(`${variable} names no database: ${remedy}`)
    return databasesOn(url, isCitus)
  }
  const makeTemplate = async (): Promise<string> => {
    const name = newName()
    await databases().make(name)
    const store = openPostgresStore(databases().toUrl(name))
    await store.migrate()
    await store.close()
    return name
  }
  return {
    isNamed: url !== undefined,
    databases,
    /** A migrated database, created once: copying it is faster than migrating each. */
    template: () => (template ??= makeTemplate()),
    end: async () => template && databases().drop(await template),
  }
}

type Server = ReturnType<typeof createServer>

export const POSTGRES = createServer(
  'TEST_DATABASE_URL',
  'run `npm run test:store`, or node scripts/with-postgres.ts COMMAND',
  false,
)

/** The coordinator of a Citus; its tests run if there is one. */
export const CITUS = createServer('TEST_CITUS_URL', 'node scripts/with-citus.ts COMMAND starts one', true)

const connectTo = (url: string): postgres.Sql => postgres(url, { max: 2, onnotice: () => {} })

const newName = (): string => `portico_test_${newUuid().replaceAll('-', '_')}`

/** An empty database, dropped after the test. */
export async function emptyDatabase(test: TestContext, server: Server = POSTGRES): Promise<TestDatabase> {
  const name = newName()
  await server.databases().make(name)
  return openDatabase(test, server, name)
}

/** A migrated database, dropped after the test. */
export async function migratedDatabase(
  test: TestContext,
  server: Server = POSTGRES,
  reads?: Reads,
): Promise<TestDatabase> {
  const name = newName()
  await server.databases().copy(await server.template(), name)
  const database = openDatabase(test, server, name, reads)
  // A copied installation needs its own key.
  await database.connect()`UPDATE installation SET cursor_key = ${newSalt(32)}`
  return database
}

/** A migrated database on Citus; after the test, each statement is explained and must be routed to one node. */
export const citusDatabase = (test: TestContext): Promise<TestDatabase> =>
  migratedDatabase(test, CITUS, recordReads())

function openDatabase(test: TestContext, server: Server, name: string, reads?: Reads): TestDatabase {
  const url = server.databases().toUrl(name)
  const stores: Store[] = []
  let connection: postgres.Sql | undefined
  const connected = (): postgres.Sql => (connection ??= connectTo(url))
  test.after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    const scattered = (await reads?.scattered(connected())) ?? []
    await connection?.end()
    await server.databases().drop(name)
    assert.deepEqual(scattered, [], 'these went to more than one node')
  })
  return {
    url,
    open(options) {
      const store = openPostgresStore(url, {
        onStatement(text, parameters) {
          statements.add(text)
          reads?.add(text, parameters)
        },
        ...options,
      })
      stores.push(store)
      return store
    },
    connect: connected,
  }
}

/** Every statement sent: checking them substitutes for Citus, which is not on every machine. */
const statements = new Set<string>()

after(async () => {
  await Promise.all([POSTGRES.end(), CITUS.end()])
  const broken = [...statements].flatMap((text) => {
    const why = findBrokenRule(text)
    return why === undefined ? [] : [`${why}: ${text}`]
  })
  assert.deepEqual(broken, [], 'Citus could not take these to one site')
})
