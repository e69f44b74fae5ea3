import { TimeoutError } from './errors.ts'
import { now, startTimer } from './timing.ts'

/** The signal of the caller and the deadline of a call as one signal. */
export class CallLimits {
  readonly signal: AbortSignal | undefined
  readonly #endsAt: number
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    signal: AbortSignal | undefined,
    deadlineMs = Infinity,
    what = 'The call did not end within its deadline of',
  ) {
    this.signal = signal
    this.#endsAt = now() + deadlineMs
    if (deadlineMs === Infinity) return
    const deadline = new AbortController()
    this.signal = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
    this.#timer = startTimer(() => deadline.abort(new TimeoutError(`${what} ${deadlineMs} ms`)), deadlineMs)
  }

  remainingMs(): number {
    return this.#endsAt - now()
  }

  /** Ends the deadline. The signal of the caller still ends a stream that is being read. */
  clear(): void {
    clearTimeout(this.#timer)
  }
}
