import type { Services } from '../http/services.ts'
import { demoInventories } from './content/index.ts'
import { fillHistory } from './history.ts'

const LOOK_EVERY_MS = 60_000

/** Keeps the demo's devices talking: each half hour's readings are there within a minute. */
export function feedDemo(services: Services): () => void {
  const { main, other } = demoInventories()
  const feed = async (): Promise<void> => {
    for (const inventory of [main, other]) await fillHistory(services, inventory, () => {})
  }
  const timer = setInterval(() => {
    feed().catch((err: unknown) => services.log.warn({ err }, 'the demo’s readings were not stored'))
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
