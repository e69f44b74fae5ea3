import { now } from './timing.ts'

/** The rate limit, according to the headers of a response. */
export interface RateLimit {
  /** Requests per minute. */
  limit: number
  /** Requests left, in the window that has the least. */
  remaining: number
  /** The cost of the request. */
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

/** Requests in flight before the first response, from which the limit is known. */
const UNKNOWN_WINDOW = 20
/** A request that is admitted although none are left delays the next one for at most this long. */
const PROBE_MS = 5_000
/** Requests that were sent within this time of each other may reach the server in another order. */
const REORDERING_MS = 2_000

/**
 * Delays calls while the rate limit of a client and site is used up, so that they are not rejected. A response states
 * how many requests are left; those in flight are subtracted, because the server may not have counted them yet. If none
 * are left, one request at a time is admitted, at the rate of the limit, because no header states when more will be
 * available.
 */
export class Pacer {
  /** Each sends a waiting request. */
  readonly #waiting: (() => void)[] = []
  /** The requests without a response yet, by number, and when they were sent. */
  readonly #inFlight = new Map<number, number>()
  #sent = 0
  #limit: RateLimit | undefined
  /** When the request whose response set #limit was sent. */
  #limitSentAt = -Infinity
  /** Requests up to this number were sent before #limit was known. */
  #sentBefore = 0
  #isUnlimited = false
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
        const index = this.#waiting.indexOf(admit)
        if (index >= 0) this.#waiting.splice(index, 1)
        reject(signal?.reason as Error)
        this.#pump()
      }
      const admit = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve(this.#send())
      }
      signal?.addEventListener('abort', abort, { once: true })
      if (isRepeated) this.#waiting.unshift(admit)
      else this.#waiting.push(admit)
      // Calls that wait for the first response are not paused by the limit.
      if (this.#limit && this.#waiting.length === 1) onPaused(waitMs)
      this.#pump()
    })
  }

  /** The request has ended, with or without a response. */
  finish(request: number, limit: RateLimit | undefined, hasResponse: boolean): void {
    const sentAt = this.#inFlight.get(request) ?? -Infinity
    this.#inFlight.delete(request)
    this.#probeUntil = -Infinity
    if (hasResponse && !limit && !this.#limit) this.#isUnlimited = true
    if (limit) {
      this.#isUnlimited = false
      // Responses to requests that were in flight together arrive in any order: the newest has the fewest left.
      const isLater = request > this.#sentBefore
      if (isLater) this.#sentBefore = this.#sent
      if (isLater || !this.#limit || limit.remaining < this.#limit.remaining) {
        this.#limit = limit
        this.#limitSentAt = sentAt
      }
    }
    this.#pump()
  }

  /** The server has stated when requests are available again. */
  pause(ms: number): void {
    this.#notBefore = Math.max(this.#notBefore, now() + ms)
  }

  #send(): number {
    const at = now()
    if (this.#room() <= 0) this.#probeUntil = at + PROBE_MS
    this.#lastSentAt = at
    this.#sent += 1
    this.#inFlight.set(this.#sent, at)
    return this.#sent
  }

  #room(): number {
    if (!this.#limit) return this.#isUnlimited ? Infinity : UNKNOWN_WINDOW - this.#inFlight.size
    let room = this.#limit.remaining
    // A request that was sent earlier, such as a long poll, has already been counted.
    for (const sentAt of this.#inFlight.values()) if (sentAt > this.#limitSentAt - REORDERING_MS) room -= 1
    return room
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
      this.#waiting.shift()?.()
    }
  }
}

/** By client and site: the clients of a process share the limit, so they share the pacer. */
const shared = new Map<string, Pacer>()

/** Finds the pacer of a site. Without a client id, only the calls of one object are known to share a limit. */
export function createPacers(baseUrl: string, clientId: string | undefined): (siteId?: string) => Pacer {
  const pacers = clientId === undefined ? new Map<string, Pacer>() : shared
  return (siteId = '') => {
    const key = `${baseUrl}\n${clientId}\n${siteId}`
    const pacer = pacers.get(key) ?? new Pacer()
    pacers.set(key, pacer)
    return pacer
  }
}
