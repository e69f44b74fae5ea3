import { setTimeout as delay } from 'node:timers/promises'

/** Runs `work` repeatedly, with a pause of `ms` after each run. Runs do not overlap; a failed run does not end it. */
export function repeatEvery(
  ms: number,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await work().catch(onFailure)
      await delay(ms, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
