import postgres from 'postgres'
import { type PostgresCluster, startPostgres } from './postgres.ts'

/** A Citus cluster started by the tests, from a PostgreSQL that has the extension installed. */
export interface CitusCluster {
  /** URL of the coordinator's database `postgres`. */
  url: string
  workers: readonly PostgresCluster[]
  stop(): Promise<void>
}

const SETTINGS = {
  shared_preload_libraries: 'citus',
  // The extension would enable it, with a self-signed certificate.
  ssl: 'off',
  'citus.node_conninfo': 'sslmode=prefer',
  // Few shards, because each is a table to create; a background worker for each of many databases.
  'citus.shard_count': '4',
  max_worker_processes: '100',
}

/** Starts a coordinator and two workers. */
export async function startCitus(more: Record<string, string> = {}): Promise<CitusCluster> {
  const [coordinator, ...workers] = await Promise.all(
    Array.from({ length: 3 }, () => startPostgres({ ...SETTINGS, ...more })),
  )
  if (!coordinator) throw new Error('there is no coordinator')
  const { url } = coordinator
  await makeCluster([url, ...workers.map((worker) => worker.url)])
  return {
    url,
    workers,
    stop: async () => void (await Promise.all([coordinator, ...workers].map((node) => node.stop()))),
  }
}

/** Joins a database on each node, the coordinator's first, to a cluster. */
export async function makeCluster([coordinator = '', ...workers]: readonly string[]): Promise<void> {
  for (const url of [coordinator, ...workers]) await on(url, (sql) => sql`CREATE EXTENSION citus`)
  await on(coordinator, async (sql) => {
    const { hostname, port } = new URL(coordinator)
    await sql`SELECT citus_set_coordinator_host(${hostname}, ${port}::integer)`
    for (const worker of workers.map((url) => new URL(url)))
      await sql`SELECT citus_add_node(${worker.hostname}, ${worker.port}::integer)`
  })
}

/** URLs of a database on every node of its cluster, the coordinator's first. */
export async function listNodes(url: string): Promise<string[]> {
  const workers = await on(
    url,
    (sql) => sql<{ hostname: string; port: number }[]>`
      SELECT nodename AS hostname, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary'`,
  )
  return [
    url,
    ...workers.map(
      ({ hostname, port }) => Object.assign(new URL(url), { hostname, port: String(port) }).href,
    ),
  ]
}

/** Runs queries on a temporary connection: an open one would keep a test file from ending. */
export async function on<T>(url: string, ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await ask(sql)
  } finally {
    await sql.end()
  }
}
