import { createServer } from 'node:net'

// Below the kernel's range of ephemeral ports.
const LOWEST = 10_000
const COUNT = 22_000

/** A free port. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
