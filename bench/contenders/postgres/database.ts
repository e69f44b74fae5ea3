import { connect } from 'node:net'
import driver from 'postgres'
import type { PostgresCluster } from '../../../acceptance/support/servers/postgres.ts'

/** Creates an empty database; returns its URL. */
export async function makeDatabase({ url }: PostgresCluster, name: string): Promise<string> {
  await connected(url, (sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`))
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Runs work with one connection. */
export async function connected<T>(url: string, work: (sql: driver.Sql) => Promise<T>): Promise<T> {
  const sql = driver(url, { max: 1, onnotice: () => {}, ...pipelined(url) })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/**
 * Disables Nagle's algorithm: the end of a COPY is a small packet, which would wait up to 40 ms for the acknowledgement
 * of the one before. The library's types lack the option.
 */
const pipelined = (url: string): object => {
  const { hostname, port } = new URL(url)
  return { socket: () => connect({ host: hostname, port: Number(port), noDelay: true }) }
}
