import { now } from './timing.ts'

/** How much of the rate limit is left, as the headers of a response say. */
export interface RateLimit {
  /** Requests per minute. */
  limit: number
  /** Requests left, in the window that has the least. */
  remaining: number
  /** What the request counted as. */
  cost: number
}

export function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = headers.get('x-ratelimit-limit')
  const remaining = headers.get('x-ratelimit-remaining')
  if (limit === null || remaining === null) return undefined
  const longer = headers.get('x-ratelimit-remaining-5m')
  return {
    limit: Number(limit),
    remaining: Math.min(Number(remaining), longer === null ? Infinity : Number(longer)),
    cost: Number(headers.get('x-ratelimit-cost') ?? 1),
  }
}

/** Whether a 429 is about the rate limit of the partner, rather than that of a device, for example. */
export const isUsedUp = ({ remaining, cost }: RateLimit): boolean => remaining < Math.max(cost, 1)

interface Waiter {
  admit: () => void
}

/** Requests in flight before the first response has told the limit. */
const UNKNOWN_WINDOW = 20
/** A request that is admitted although nothing is left holds up the next one for at most this long. */
const PROBE_MS = 5_000

/**
 * Holds calls back while the rate limit of a client and site has no room, instead of having them rejected. A response
 * tells how much is left after the request it belongs to; requests sent since then are subtracted. If nothing is left,
 * one request at a time is admitted, at the rate of the limit, because no header tells when there is room.
 */
export class Pacer {
  readonly #waiting: Waiter[] = []
  #sent = 0
  #inFlight = 0
  #limit: RateLimit | undefined
  #isUnlimited = false
  /** Number of the request whose response has told #limit. */
  #limitOf = 0
  #lastSentAt = -Infinity
  #notBefore = -Infinity
  #probeUntil = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Resolves with the number of the request when it may be sent. `isRepeated` puts it in front of all others. */
  admit(
    signal: AbortSignal | undefined,
    isRepeated: boolean,
    onPaused: (waitMs: number) => void,
  ): number | Promise<number> {
    const waitMs = this.#waitMs(now())
    if (waitMs === 0 && (this.#waiting.length === 0 || isRepeated)) return this.#send()
    return new Promise<number>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const abort = (): void => {
        const index = this.#waiting.indexOf(waiter)
        if (index >= 0) this.#waiting.splice(index, 1)
        reject(signal?.reason as Error)
        this.#pump()
      }
      const waiter = {
        admit: (): void => {
          signal?.removeEventListener('abort', abort)
          resolve(this.#send())
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      if (isRepeated) this.#waiting.unshift(waiter)
      else this.#waiting.push(waiter)
      // Calls that wait for the first response are not paused by the limit.
      if (this.#limit && this.#waiting.length === 1) onPaused(waitMs)
      this.#pump()
    })
  }

  /** The request has ended, with or without a response. */
  finish(request: number, limit: RateLimit | undefined, hasResponse: boolean): void {
    this.#inFlight -= 1
    this.#probeUntil = -Infinity
    if (hasResponse && !limit && !this.#limit) this.#isUnlimited = true
    if (limit && request > this.#limitOf) {
      this.#limit = limit
      this.#limitOf = request
      this.#isUnlimited = false
    }
    this.#pump()
  }

  /** The server has said when there is room again. */
  pause(ms: number): void {
    this.#notBefore = Math.max(this.#notBefore, now() + ms)
  }

  #send(): number {
    const at = now()
    if (this.#room() <= 0) this.#probeUntil = at + PROBE_MS
    this.#lastSentAt = at
    this.#sent += 1
    this.#inFlight += 1
    return this.#sent
  }

  #room(): number {
    if (this.#limit) return this.#limit.remaining - (this.#sent - this.#limitOf)
    return this.#isUnlimited ? Infinity : UNKNOWN_WINDOW - this.#inFlight
  }

  /** Infinity: until a response arrives. */
  #waitMs(at: number): number {
    if (at < this.#notBefore) return this.#notBefore - at
    if (this.#room() > 0) return 0
    if (!this.#limit) return Infinity
    // A little slower than the limit, because the windows of the server are approximate.
    const spacingMs = (1.05 * 60_000) / Math.max(this.#limit.limit, 1)
    return Math.max(0, this.#probeUntil - at, this.#lastSentAt + spacingMs - at)
  }

  #pump(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#waiting.length > 0) {
      const waitMs = this.#waitMs(now())
      if (waitMs > 0) {
        if (waitMs < Infinity) this.#timer = setTimeout(() => this.#pump(), Math.ceil(waitMs))
        return
      }
      this.#waiting.shift()?.admit()
    }
  }
}

const pacers = new Map<string, Pacer>()

/** By client and site: the clients of a process share the limit, so that they share the pace. */
export function sharePacer(key: string): Pacer {
  let pacer = pacers.get(key)
  if (!pacer) pacers.set(key, (pacer = new Pacer()))
  return pacer
}
