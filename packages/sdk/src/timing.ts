/** Milliseconds on a clock that is never set. */
export const now = (): number => performance.now()

/** The longest delay that `setTimeout` supports, 24.8 days; after a longer one, it would run immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** `setTimeout` for any delay, including Infinity; limited to `MAX_TIMER_MS`. */
export const startTimer = (run: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(run, Math.min(ms, MAX_TIMER_MS))

/** Rejects with the reason of the signal as soon as it is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const elapsed = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  return withSignal(elapsed, signal).finally(() => clearTimeout(timer))
}

/** The promise, or the reason of the signal if that is aborted first. */
export function withSignal<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Statuses after which a request that is safe to retry is retried. */
export const RETRIED = new Set([408, 429, 500, 502, 503, 504])
/** If `Retry-After` is longer, the call fails immediately. */
export const MAX_RETRY_AFTER_MS = 60_000

/** Full jitter: anything up to half a second, then twice as much, up to 8 seconds. */
export const backoffMs = (retries: number): number => Math.random() * Math.min(8_000, 500 * 2 ** retries)
