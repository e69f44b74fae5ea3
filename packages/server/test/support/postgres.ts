import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import postgres from 'postgres'
import { newSalt, newUuid } from '../../src/lib/ids.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { type Reads, recordReads } from './explain.ts'
import { brokenRuleOf } from './statement-rule.ts'

/** A database of a test's own; several stores may be opened on it, as several instances would. */
export interface TestDatabase {
  url: string
  /** Closed after the test. */
  open(options?: PostgresOptions): Store
  /** A connection beside the stores, as whoever made the database; closed after the test. */
  connect(): postgres.Sql
}

/** A PostgreSQL that the environment names, on which databases can be made. */
function createServer(variable: string, remedy: string) {
  let connection: postgres.Sql | undefined
  const url = (): string => {
    const given = process.env[variable]
    if (given === undefined) throw new Error(`${variable} names no PostgreSQL: ${remedy}`)
    return given
  }
  return {
    isNamed: process.env[variable] !== undefined,
    urlOf: (name: string): string => Object.assign(new URL(url()), { pathname: `/${name}` }).href,
    run: (sql: string) => (connection ??= connectTo(url())).unsafe(sql),
    end: async () => connection?.end(),
  }
}

type Server = ReturnType<typeof createServer>

const POSTGRES = createServer(
  'TEST_DATABASE_URL',
  'run `npm run test:store`, or node scripts/with-postgres.ts COMMAND',
)

/** The coordinator of a Citus; its tests run when there is one. */
export const CITUS = createServer('TEST_CITUS_URL', 'give the address of a coordinator')

const connectTo = (url: string): postgres.Sql => postgres(url, { max: 2, onnotice: () => {} })

const newName = (): string => `portico_test_${newUuid().replaceAll('-', '_')}`

/** An empty database, gone after the test. */
export const emptyDatabase = (test: TestContext): Promise<TestDatabase> =>
  makeDatabase(test, POSTGRES, 'template0')

let template: Promise<string> | undefined

/** A migrated database, gone after the test: a copy, which is faster than migrating each. */
export async function migratedDatabase(test: TestContext): Promise<TestDatabase> {
  const database = await makeDatabase(test, POSTGRES, await (template ??= makeTemplate()))
  // A copy of an installation is another installation.
  await database.connect()`UPDATE installation SET cursor_key = ${newSalt(32)}`
  return database
}

async function makeTemplate(): Promise<string> {
  const name = newName()
  await POSTGRES.run(`CREATE DATABASE ${name} TEMPLATE template0`)
  const store = openPostgresStore(POSTGRES.urlOf(name))
  await store.migrate()
  await store.close()
  return name
}

/** Migrated, on Citus; after the test each question is explained, and has to go to one node. */
export async function citusDatabase(test: TestContext): Promise<TestDatabase> {
  const reads = recordReads()
  const database = await makeDatabase(test, CITUS, 'template0', reads)
  await database.connect()`CREATE EXTENSION citus`
  // Few shards, because each is a table to make.
  await CITUS.run(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET citus.shard_count TO 4`)
  await database.open().migrate()
  return database
}

async function makeDatabase(
  test: TestContext,
  server: Server,
  from: string,
  reads?: Reads,
): Promise<TestDatabase> {
  const name = newName()
  await server.run(`CREATE DATABASE ${name} TEMPLATE ${from}`)
  const url = server.urlOf(name)
  const stores: Store[] = []
  let connection: postgres.Sql | undefined
  const connected = (): postgres.Sql => (connection ??= connectTo(url))
  test.after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    const scattered = (await reads?.scattered(connected())) ?? []
    await connection?.end()
    await server.run(`DROP DATABASE ${name} WITH (FORCE)`)
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

/** Everything that was sent: looking at it is our stand-in for Citus, which is not on every machine. */
const statements = new Set<string>()

after(async () => {
  if (template) await POSTGRES.run(`DROP DATABASE ${await template} WITH (FORCE)`)
  await Promise.all([POSTGRES.end(), CITUS.end()])
  const broken = [...statements].flatMap((text) => {
    const why = brokenRuleOf(text)
    return why === undefined ? [] : [`${why}: ${text}`]
  })
  assert.deepEqual(broken, [], 'Citus could not take these to one site')
})
