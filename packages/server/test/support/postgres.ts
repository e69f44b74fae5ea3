import { after, type TestContext } from 'node:test'
import postgres from 'postgres'
import { newSalt, newUuid } from '../../src/lib/ids.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'

/** A database of a test's own; several stores may be opened on it, as several instances would. */
export interface TestDatabase {
  url: string
  /** Closed after the test. */
  open(options?: PostgresOptions): Store
}

const address = (): string => {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined)
    throw new Error(
      'TEST_DATABASE_URL names no PostgreSQL: run `npm run test:store`, or node scripts/with-postgres.ts COMMAND',
    )
  return url
}

let admin: postgres.Sql | undefined
const asAdmin = (): postgres.Sql => (admin ??= postgres(address(), { max: 2, onnotice: () => {} }))

const ofDatabase = (name: string): string => Object.assign(new URL(address()), { pathname: `/${name}` }).href

const newName = (): string => `portico_test_${newUuid().replaceAll('-', '_')}`

/** An empty database, gone after the test. */
export async function emptyDatabase(test: TestContext): Promise<TestDatabase> {
  return made(test, 'template0')
}

let template: Promise<string> | undefined

/** A migrated database, gone after the test: a copy, which is faster than migrating each. */
export async function migratedDatabase(test: TestContext): Promise<TestDatabase> {
  const database = await made(test, await (template ??= makeTemplate()))
  // A copy of an installation is another installation.
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  await sql`UPDATE installation SET cursor_key = ${newSalt(32)}`
  await sql.end()
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

async function made(test: TestContext, from: string): Promise<TestDatabase> {
  const name = newName()
  await asAdmin().unsafe(`CREATE DATABASE ${name} TEMPLATE ${from}`)
  const opened: Store[] = []
  test.after(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await asAdmin().unsafe(`DROP DATABASE ${name} WITH (FORCE)`)
  })
  const url = ofDatabase(name)
  return {
    url,
    open(options) {
      const store = openPostgresStore(url, options)
      opened.push(store)
      return store
    },
  }
}

after(async () => {
  if (template) await asAdmin().unsafe(`DROP DATABASE ${await template} WITH (FORCE)`)
  await admin?.end()
})
