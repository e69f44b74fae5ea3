import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import postgres from 'postgres'
import { newSalt, newUuid } from '../../src/lib/ids.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { brokenRuleOf } from './statement-rule.ts'

/** A database of a test's own; several stores may be opened on it, as several instances would. */
export interface TestDatabase {
  url: string
  /** Closed after the test. */
  open(options?: PostgresOptions): Store
  /** A connection beside the stores, as whoever made the database; closed after the test. */
  connect(): postgres.Sql
}

const address = (): string => {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined)
    throw new Error(
      'TEST_DATABASE_URL names no PostgreSQL: run `npm run test:store`, or node scripts/with-postgres.ts COMMAND',
    )
  return url
}

const connectTo = (url: string): postgres.Sql => postgres(url, { max: 2, onnotice: () => {} })

let admin: postgres.Sql | undefined
const asAdmin = (): postgres.Sql => (admin ??= connectTo(address()))

const ofDatabase = (name: string): string => Object.assign(new URL(address()), { pathname: `/${name}` }).href

const newName = (): string => `portico_test_${newUuid().replaceAll('-', '_')}`

/** An empty database, gone after the test. */
export const emptyDatabase = (test: TestContext): Promise<TestDatabase> => makeDatabase(test, 'template0')

let template: Promise<string> | undefined

/** A migrated database, gone after the test: a copy, which is faster than migrating each. */
export async function migratedDatabase(test: TestContext): Promise<TestDatabase> {
  const database = await makeDatabase(test, await (template ??= makeTemplate()))
  // A copy of an installation is another installation.
  await database.connect()`UPDATE installation SET cursor_key = ${newSalt(32)}`
  return database
}

async function makeTemplate(): Promise<string> {
  const name = newName()
  await asAdmin().unsafe(`CREATE DATABASE ${name} TEMPLATE template0`)
  const store = openPostgresStore(ofDatabase(name))
  await store.migrate()
  await store.close()
  return name
}

async function makeDatabase(test: TestContext, from: string): Promise<TestDatabase> {
  const name = newName()
  await asAdmin().unsafe(`CREATE DATABASE ${name} TEMPLATE ${from}`)
  const url = ofDatabase(name)
  const stores: Store[] = []
  let connection: postgres.Sql | undefined
  test.after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await connection?.end()
    await asAdmin().unsafe(`DROP DATABASE ${name} WITH (FORCE)`)
  })
  return {
    url,
    open(options) {
      const store = openPostgresStore(url, { onStatement: (text) => void statements.add(text), ...options })
      stores.push(store)
      return store
    },
    connect: () => (connection ??= connectTo(url)),
  }
}

/** Everything that was sent: looking at it is our stand-in for Citus, which is not on every machine. */
const statements = new Set<string>()

after(async () => {
  if (template) await asAdmin().unsafe(`DROP DATABASE ${await template} WITH (FORCE)`)
  await admin?.end()
  const broken = [...statements].flatMap((text) => {
    const why = brokenRuleOf(text)
    return why === undefined ? [] : [`${why}: ${text}`]
  })
  assert.deepEqual(broken, [], 'Citus could not take these to one site')
})
