import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../src/kernel/errors.ts'
import { openDatabase, type Sql } from '../../src/store/postgres/pool/connect.ts'
import { lockForInstance } from '../../src/store/postgres/cluster/lock.ts'
import { sqlFor, splitStatements } from '../../src/store/postgres/migrate.ts'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import { eventually } from '../../../../acceptance/support/eventually.ts'
import { findFreePort } from '../../../../acceptance/support/servers/free-port.ts'
import { addPartner } from '../support/seed.ts'
import { emptyDatabase, migratedDatabase, type TestDatabase } from '../support/postgres.ts'

const isUnavailable = (error: unknown): boolean => {
  assert.ok(error instanceof AppError)
  assert.equal(error.code, 'unavailable')
  assert.doesNotMatch(error.message, /127\.0\.0\.1|portico_test|ECONN/)
  return true
}

const listNumbers = (migrations: readonly { number: number }[]): number[] =>
  migrations.map(({ number }) => number)

const listTables = async (database: TestDatabase): Promise<string[]> => {
  const rows = await database.connect()<{ tablename: string }[]>`
    SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
  return rows.map(({ tablename }) => tablename)
}

/** Terminates the connections of every store on the database, which the stores notice some time later. */
const endConnections = (database: TestDatabase) =>
  database.connect()`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'portico'`

const countConnections = async (database: TestDatabase): Promise<unknown> => {
  const [row] = await database.connect()`
    SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'portico'`
  return row?.['count']
}

test('the database itself ends a transaction whose client is silent, before its locks block others', async (t) => {
  const database = await migratedDatabase(t)
  const db = openDatabase(database.url, { answerMs: 7_000 })
  const limit = (sql: Sql) => sql`SHOW idle_in_transaction_session_timeout`
  try {
    const [inside] = await db.write(limit)
    assert.equal(inside?.['idle_in_transaction_session_timeout'], '7s')
    const [longer] = await db.write(limit, { withinMs: 60_000 })
    assert.equal(longer?.['idle_in_transaction_session_timeout'], '1min')
  } finally {
    await db.close()
  }
})

describe('migrations on postgres', () => {
  test('five instances that migrate an empty database concurrently execute each step once', async (t) => {
    const database = await emptyDatabase(t)
    const stores = Array.from({ length: 5 }, () => database.open())
    const all = listNumbers(await database.open().pendingMigrations())
    assert.equal(all[0], 1)
    const done = await Promise.all(stores.map((store) => store.migrate()))
    assert.deepEqual(
      listNumbers(done.flat()).toSorted((a, b) => a - b),
      all,
    )
    for (const store of stores) assert.deepEqual(await store.pendingMigrations(), [])
    assert.equal((await stores[0]?.installationKey())?.length, 32)
  })

  test('a migration killed in the middle of a step leaves nothing of it, and is completed later', async (t) => {
    const database = await emptyDatabase(t)
    const store = database.open()
    const other = await database.connect().reserve()
    // Another session creates a table of the same name: the migration waits for it in the middle of its step.
    await other`BEGIN`
    await other`CREATE TABLE outbox (x integer)`
    const migrated = assert.rejects(store.migrate(), isUnavailable)
    for (let isWaiting = false; !isWaiting; await delay(20)) {
      const waiting = await database.connect()`
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE TABLE outbox%'`
      isWaiting = waiting.length > 0
    }
    await endConnections(database)
    await migrated
    await other`ROLLBACK`
    other.release()
    assert.deepEqual(await listTables(database), ['schema_migrations'])
    assert.equal((await store.migrate())[0]?.number, 1)
    assert.deepEqual(await store.pendingMigrations(), [])
  })

  test('a database of a newer release is rejected', async (t) => {
    const database = await migratedDatabase(t)
    await database.connect()`INSERT INTO schema_migrations (number, name) VALUES (9999, 'later')`
    await assert.rejects(database.open().migrate(), /newer release/)
  })

  test('the body of a function is part of its statement', () => {
    const body = 'CREATE FUNCTION f() RETURNS integer LANGUAGE plpgsql AS $$\nBEGIN\n  RETURN 1;\nEND\n$$'
    assert.deepEqual(splitStatements(`${body};\nSELECT f();\n`), [body, 'SELECT f()'])
  })

  test('lines for Citus run on Citus only, each statement in a separate call', () => {
    const text =
      "-- why\nCREATE TABLE a (\n  x text -- a; note\n);\n-- citus: SELECT distribute('a');\nCREATE INDEX b ON a (x);\n"
    const table = 'CREATE TABLE a (\n  x text -- a; note\n)'
    assert.deepEqual(splitStatements(sqlFor(false, text)), [table, 'CREATE INDEX b ON a (x)'])
    assert.deepEqual(splitStatements(sqlFor(true, text)), [
      table,
      "SELECT distribute('a')",
      'CREATE INDEX b ON a (x)',
    ])
  })
})

describe('a PostgreSQL that fails', () => {
  test('an unreachable one is unavailable, without its own error text', async (t) => {
    const store = openPostgresStore(`postgres://portico@127.0.0.1:${await findFreePort()}/portico_test`)
    t.after(() => store.close())
    await assert.rejects(store.ping(), isUnavailable)
    await assert.rejects(store.markAsDemo(), isUnavailable)
  })

  test('one that ended all connections is used again by the next query', async (t) => {
    const database = await migratedDatabase(t)
    const store = database.open()
    await store.ping()
    await endConnections(database)
    // The connection is still in use if its end has not been noticed yet.
    await store.ping()
  })

  test('connections that end at any moment crash no process, and leave no partial write and no connection', async (t) => {
    const database = await migratedDatabase(t)
    const store = database.open()
    const over = new AbortController()
    const ending = (async () => {
      for (; !over.signal.aborted; await delay(10)) await endConnections(database)
    })()
    const added: string[] = []
    const addSome = async (): Promise<void> => {
      for (let round = 0; round < 30; round += 1) {
        try {
          added.push((await addPartner(store)).partner.partnerUuid)
        } catch (error) {
          isUnavailable(error)
        }
      }
    }
    await Promise.all(Array.from({ length: 8 }, addSome))
    over.abort()
    await ending
    await store.ping().catch(isUnavailable)
    const stored = await store.partners.list({ after: undefined, limit: 1_000 })
    const uuids = new Set(stored.map(({ partnerUuid }) => partnerUuid))
    assert.deepEqual(
      added.filter((uuid) => !uuids.has(uuid)),
      [],
      'what was answered is there',
    )
    const [secrets] = await database.connect()`SELECT count(*)::int AS count FROM partner_secrets`
    assert.equal(secrets?.['count'], stored.length)
    assert.equal((await store.audit.list({ before: undefined, limit: 1_000 })).length, stored.length)
    await store.close()
    await eventually(async () => assert.equal(await countConnections(database), 0), 5_000)
  })

  test('one that goes silent times out, and is queried again on new connections', async (t) => {
    const database = await migratedDatabase(t)
    const proxy = await startProxy(new URL(database.url))
    t.after(() => proxy.close())
    const address = Object.assign(new URL(database.url), { port: String(proxy.port) })
    const store = openPostgresStore(address.href, { answerMs: 500 })
    t.after(() => store.close())
    await store.ping()
    proxy.silence()
    await assert.rejects(store.ping(), isUnavailable)
    await assert.rejects(store.markAsDemo(), isUnavailable)
    proxy.open()
    await store.ping()
  })

  test('a transaction that the network leaves open in the middle of a statement is ended before its locks block others', async (t) => {
    const database = await migratedDatabase(t)
    const proxy = await startProxy(new URL(database.url))
    t.after(() => proxy.close())
    const address = Object.assign(new URL(database.url), { port: String(proxy.port) })
    const db = openDatabase(address.href, { answerMs: 1_000 })
    t.after(() => db.close())
    const lock = (sql: Sql) => sql`SELECT 1 FROM installation FOR UPDATE`
    const cutOff = db.write(async (sql) => {
      await lock(sql)
      proxy.breakConnections()
      // The parameter is sent when the database has described the statement.
      await sql`SELECT ${1}::integer`
    })
    await assert.rejects(cutOff, isUnavailable)
    await eventually(() => db.write(lock), 30_000)
  })

  test('a closed store fails as closed', async (t) => {
    const database = await migratedDatabase(t)
    const store = database.open()
    await store.ping()
    await store.close()
    await assert.rejects(store.ping(), isUnavailable)
  })
})

test('instances with an external broker share a database; one with an embedded broker has it alone', async (t) => {
  const { url } = await migratedDatabase(t)
  const shared = [
    await lockForInstance(url, { isExclusive: false }),
    await lockForInstance(url, { isExclusive: false }),
  ]
  assert.ok(shared[0] && shared[1])
  assert.equal(await lockForInstance(url, { isExclusive: true }), undefined)
  for (const lock of shared) await lock?.release()
  const alone = await lockForInstance(url, { isExclusive: true })
  assert.ok(alone)
  assert.equal(await lockForInstance(url, { isExclusive: false }), undefined)
  await alone.release()
})

for (const isExclusive of [true, false])
  test(`dead rows are removed while an instance holds the ${isExclusive ? 'exclusive' : 'shared'} lock`, async (t) => {
    const database = await migratedDatabase(t)
    const lock = await lockForInstance(database.url, { isExclusive, hasNobodyElse: isExclusive })
    t.after(() => lock?.release())
    assert.ok(lock)
    const sql = database.connect()
    await sql`CREATE TABLE short_lived AS SELECT generate_series(1, 100) AS number`
    await sql`DELETE FROM short_lived`
    await sql`VACUUM short_lived`
    const [table] = await sql`SELECT pg_relation_size('short_lived')::integer AS size`
    assert.equal(table?.['size'], 0)
  })

test('a transaction pooler gets no prepared statements', async (t) => {
  const database = await migratedDatabase(t)
  const proxy = await startProxy(new URL(database.url))
  t.after(() => proxy.close())
  const address = Object.assign(new URL(database.url), { port: String(proxy.port) })
  const namesWith = async (url: string): Promise<boolean[]> => {
    proxy.sent.length = 0
    const store = openPostgresStore(url)
    await store.isDemo()
    await store.close()
    // A Parse message: type, length, statement name, statement.
    const parsed = Buffer.concat(proxy.sent)
      .toString('latin1')
      .matchAll(/P[^]{4}([^\0]*)\0SELECT cursor_key/g)
    return [...parsed].map(([, name]) => name !== '')
  }
  assert.deepEqual(await namesWith(address.href), [true])
  address.searchParams.set('prepare', 'false')
  assert.deepEqual(await namesWith(address.href), [false])
})

test('a text with a zero byte is an error of the caller, and matches no client id', async (t) => {
  const database = await migratedDatabase(t)
  const store = database.open()
  await assert.rejects(addPartner(store, { name: 'a\0b' }), { code: 'bad-request' })
  assert.equal(await store.partners.findClient('a\0b'), undefined)
})

test('a backup is made with the tools of PostgreSQL', async (t) => {
  const database = await migratedDatabase(t)
  await assert.rejects(database.open().backup('/nowhere'), /pg_dump/)
})

/** A proxy to the database that can discard what is sent, without an error. */
async function startProxy({ hostname, port }: URL) {
  const sockets = new Set<Socket>()
  const sent: Buffer[] = []
  let isSilent = false
  const breaking = new Set<Socket>()
  const broken = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.on('data', (chunk: Buffer) => {
      sent.push(chunk)
      if (!isSilent && !broken.has(far)) far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      if (breaking.has(far)) broken.add(far)
      if (!isSilent && !broken.has(far)) near.write(chunk)
    })
    near.on('close', () => void (broken.has(far) || far.destroy()))
    far.on('close', () => near.destroy())
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
  })
  const own = await findFreePort()
  server.listen(own, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: own,
    /** Everything that the stores sent. */
    sent,
    silence: () => void (isSilent = true),
    open: () => void (isSilent = false),
    /** Breaks each connection at its next response, without a sign for the database that the client is gone. */
    breakConnections() {
      for (const socket of sockets) breaking.add(socket)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
