import type { LeaseStore } from '../../../domain/coordination/store.ts'
import type { Database } from '../pool/connect.ts'

/** A lease with a later end was issued under another clock. */
const LONGEST_MS = 60_000

export const postgresLeases = (db: Database): LeaseStore => ({
  acquire: (name, holder, now, until) =>
    db.change(async (sql) => {
      const held = await sql`
        INSERT INTO leases AS known (name, holder, held_until) VALUES (${name}, ${holder}, ${until})
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
        WHERE known.holder = excluded.holder OR known.held_until <= ${now}
          OR known.held_until > ${now + LONGEST_MS}`
      return held.count > 0
    }),
  listFree: (prefix, now) =>
    db.read(async (sql) => {
      const rows = await sql<{ name: string }[]>`
        SELECT name FROM leases
        WHERE starts_with(name, ${prefix}) AND (held_until <= ${now} OR held_until > ${now + LONGEST_MS})
        ORDER BY held_until DESC, name`
      return rows.map(({ name }) => name)
    }),
  release: (name, holder) =>
    db.change(async (sql) => {
      await sql`UPDATE leases SET held_until = 0 WHERE name = ${name} AND holder = ${holder}`
    }),
  remove: (name, holder) =>
    db.change(async (sql) => {
      await sql`DELETE FROM leases WHERE name = ${name} AND holder = ${holder}`
    }),
})
