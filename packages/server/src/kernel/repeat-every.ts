import { setTimeout as delay } from 'node:timers/promises'

/** Does something over and over, never twice at once; what fails is tried again the next time. */
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
