/** So many within so long, over a window that slides. */
export interface Window {
  limit: number
  ms: number
}

/** What is limited; each is counted apart. */
export type Counted = 'requests' | 'tokens' | 'wrong-secrets' | 'commands'

export interface Use {
  what: Counted
  /** Whose: partner and site, client, device. */
  key: string
  windows: readonly Window[]
}

export type Verdict = { allowed: true; remaining: number } | { allowed: false; retryAfterSeconds: number }

/** Counts uses. Whoever counts for several processes implements this once for all of them. */
export interface Limits {
  /** Counts one in every window, unless one of them is full: then in none. A verdict for each, in their order. */
  take(use: Use): Promise<Verdict[]>
  /** Takes one back that should not have counted. */
  giveBack(use: Use): Promise<void>
  /** The same without waiting; only of who counts in this process. */
  atOnce?: { take(use: Use): Verdict[]; giveBack(use: Use): void }
}

/** Seconds until all windows have room; undefined when they have it now. */
export function waitOf(verdicts: readonly Verdict[]): number | undefined {
  const waits = verdicts.flatMap((verdict) => (verdict.allowed ? [] : [verdict.retryAfterSeconds]))
  return waits.length > 0 ? Math.max(...waits) : undefined
}
