import { makeCluster, listNodes, on } from './citus.ts'

/** Databases of a PostgreSQL or Citus; on Citus, each is a separate cluster with a database on every node. */
export interface Databases {
  toUrl(name: string): string
  /** Creates an empty database. */
  make(name: string): Promise<void>
  /** No connection to the original may be open. */
  copy(from: string, to: string): Promise<void>
  drop(name: string): Promise<void>
}

/** The URL is that of a permanent database; on Citus, of the coordinator's database that knows the workers. */
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
        // The extension is in every database that is part of a cluster.
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = '${from}' AND backend_type LIKE 'Citus Maintenance Daemon%'`,
        `CREATE DATABASE ${to} TEMPLATE ${from}`,
      ),
    drop: (name) => everywhere(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

const named = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href
