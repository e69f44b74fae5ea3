import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Below the kernel's range of ephemeral ports, so that no client of another test takes the port between this check and
// the server's listen.
const lowest = 10_000
const highest = 32_767

const variable = 'ACCEPTANCE_PORTS_DIR'

/**
 * Lets all processes of this run share one record of the ports they were given. Otherwise two test files could be given
 * the same port before either server listens on it, or one the port of a server that another is just restarting.
 * Returns how to remove the record.
 */
export function recordPorts(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'portico-ports-'))
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Whether the port has not been given out in this run yet. */
function claim(port: number): boolean {
  const folder = process.env[variable]
  if (folder === undefined) return true
  try {
    writeFileSync(join(folder, String(port)), '', { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** A port that is free on both 127.0.0.1 and ::1 (`localhost` may resolve to either). */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1))
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1')) && claim(port)) return port
  }
  throw new Error(`no free port between ${lowest} and ${highest}`)
}

function isFree(port: number, host: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
  // A machine without IPv6 has no ::1.
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  return promise
}
