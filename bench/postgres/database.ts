import driver from 'postgres'
import type { PostgresCluster } from '../../acceptance/support/postgres.ts'

/** Makes an empty database; answers its address. */
export async function makeDatabase({ url }: PostgresCluster, name: string): Promise<string> {
  await connected(url, (sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`))
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Work with one connection. */
export async function connected<T>(url: string, work: (sql: driver.Sql) => Promise<T>): Promise<T> {
  const sql = driver(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
