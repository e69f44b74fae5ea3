import { connect } from 'node:net'
import driver from 'postgres'
import type { PostgresCluster } from '../../../acceptance/support/servers/postgres.ts'

/** Makes an empty database; answers its address. */
export async function makeDatabase({ url }: PostgresCluster, name: string): Promise<string> {
  await connected(url, (sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`))
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Work with one connection. */
export async function connected<T>(url: string, work: (sql: driver.Sql) => Promise<T>): Promise<T> {
  const sql = driver(url, { max: 1, onnotice: () => {}, ...pipelined(url) })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** The end of a COPY is a small packet, which would wait up to 40 ms for the one before it to be acknowledged. The library's types lack the option. */
const pipelined = (url: string): object => {
  const { hostname, port } = new URL(url)
  return { socket: () => connect({ host: hostname, port: Number(port), noDelay: true }) }
}
