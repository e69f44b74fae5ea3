export interface StopSignals {
  /** Name of the first signal: a request to stop in an orderly way. */
  first: Promise<string>
  /** Name of the second signal: a request to stop immediately. */
  second: Promise<string>
  /** Aborted by the first signal; the reason is its name. */
  signal: AbortSignal
}

/**
 * For Ctrl-C, npm sends a signal to a program that has already received one from the terminal. Both are one request.
 */
const SAME_REQUEST_MS = 500

/** Waits for SIGTERM and SIGINT, which no longer end the process. */
export function waitForStopSignals(): StopSignals {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  const stopping = new AbortController()
  let firstAt = 0
  for (const name of ['SIGTERM', 'SIGINT']) {
    process.on(name, () => {
      if (!stopping.signal.aborted) {
        firstAt = performance.now()
        first.resolve(name)
        stopping.abort(name)
      } else if (performance.now() - firstAt >= SAME_REQUEST_MS) second.resolve(name)
    })
  }
  return { first: first.promise, second: second.promise, signal: stopping.signal }
}
