import type { AddResult } from '../reading/store.ts'

/** Number of readings by result: a key of `AddResult`, or the code of a rejection. */
export type ImportCounts = Partial<Record<string, number>>

/** Readings that commands have imported and that no server has counted in its metrics yet. */
export interface ImportCountStore {
  add(counts: ImportCounts): Promise<void>
  /** Removes and returns all counts. Each count is returned to one caller only. */
  take(): Promise<ImportCounts>
}

/** Counts the readings of one channel. */
export interface IngestCounter {
  stored(result: AddResult): void
  rejected(code: string, count?: number): void
}

export const STORED_RESULTS = ['accepted', 'replaced', 'unchanged'] as const satisfies (keyof AddResult)[]

/** Adds the counts of another process to a counter. */
export function addCounts({ stored, rejected }: IngestCounter, counts: ImportCounts): void {
  const result: AddResult = { accepted: 0, replaced: 0, unchanged: 0 }
  for (const [name, count = 0] of Object.entries(counts)) {
    const known = STORED_RESULTS.find((key) => key === name)
    if (known) result[known] += count
    else rejected(name, count)
  }
  stored(result)
}

/** Collects counts and adds them to the store when `flush` is called. */
export function createStoredCounter(
  store: Pick<ImportCountStore, 'add'>,
): IngestCounter & { flush(): Promise<void> } {
  let counts = new Map<string, number>()
  const add = (name: string, count: number): void => {
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return {
    stored(result) {
      for (const name of STORED_RESULTS) add(name, result[name])
    },
    rejected: (code, count = 1) => add(code, count),
    async flush() {
      const collected = counts
      counts = new Map()
      if (collected.size > 0) await store.add(Object.fromEntries(collected))
    },
  }
}
