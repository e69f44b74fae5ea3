import { createServer } from 'node:net'

// Below the kernel's range of ephemeral ports, so that no client of another test takes the port between this check and
// the server's listen.
const lowest = 10_000
const highest = 32_767

/** A port that is free on both 127.0.0.1 and ::1 (`localhost` may resolve to either). */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1))
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) return port
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
