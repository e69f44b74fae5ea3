import { makeCluster, listNodes, on } from './citus.ts'

/** Databases of a PostgreSQL, or of a Citus: there each is one on every node, and a cluster of its own. */
export interface Databases {
  toUrl(name: string): string
  /** Empty. */
  make(name: string): Promise<void>
  /** Nobody may be connected to the original. */
  copy(from: string, to: string): Promise<void>
  drop(name: string): Promise<void>
}

/** The address is of a database that stays; on Citus, of the coordinator's that knows the workers. */
export function databasesOn(url: string, isCitus: boolean): Databases {
  let known: Promise<string[]> | undefined
  const nodes = (): Promise<string[]> => (known ??= isCitus ? listNodes(url) : Promise.resolve([url]))
  const everywhere = async (...statements: string[]): Promise<void> => {
    const each = (await nodes()).map((node) =>
      on(node, async (sql) => {
        for (const statement of statements) await sql.unsafe(statement)
      }),
    )
    await Promise.all(each)
  }
  return {
    toUrl: (name) => named(url, name),
    async make(name) {
      await everywhere(`CREATE DATABASE ${name} TEMPLATE template0`)
      if (isCitus) await makeCluster((await nodes()).map((node) => named(node, name)))
    },
    copy: (from, to) =>
      everywhere(
        // It is in every database that is part of a cluster.
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = '${from}' AND backend_type LIKE 'Citus Maintenance Daemon%'`,
        `CREATE DATABASE ${to} TEMPLATE ${from}`,
      ),
    drop: (name) => everywhere(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

const named = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href
