import { findPostgres, startPostgres } from '../acceptance/support/servers/postgres.ts'
import type { Benchmark } from './benchmark.ts'
import { overCopy } from './contenders/postgres/over-copy.ts'
import { overEmbedded } from './contenders/postgres/over-embedded.ts'

/** As durable as a production cluster, but without background work while another contender is measured. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum: 'off',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
}

export const postgres: Benchmark = {
  name: 'postgres',
  about:
    'The PostgreSQL store, with every commit synced to disk. Readings arrive half hour by half hour, each delivery in one transaction, and are rolled up. A plain table receives the same deliveries by COPY from text that was prepared before. Processor time is that of PostgreSQL and of its client. Reads are 48 hours of a random room by the hour, over HTTP, by 32 clients at once, from two servers with the same readings. Ratios are of requests per second of the server’s processor time.',
  async run({ isSmoke }) {
    if (findPostgres() === undefined)
      return [{ label: 'over COPY, and over the embedded store', value: 'PostgreSQL is not installed here' }]
    const cluster = await startPostgres(SETTINGS)
    try {
      return [...(await overCopy(cluster, isSmoke)), ...(await overEmbedded(cluster, isSmoke))]
    } finally {
      await cluster.stop()
    }
  },
}
