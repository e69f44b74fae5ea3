import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Repeats an assertion until it holds; after the deadline, its last failure fails the test. The deadline allows for a
 * machine that stalls for a while.
 */
export async function eventually<T>(assertion: () => Promise<T>, deadlineMs = 300_000): Promise<T> {
  const end = Date.now() + deadlineMs
  for (;;) {
    try {
      return await assertion()
    } catch (error) {
      if (Date.now() > end) throw error
      await sleep(100)
    }
  }
}
