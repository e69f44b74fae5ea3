import type { SeriesReads } from '../series/service.ts'

/** Reads for one export, on views of the store that writes do not change. */
export interface Snapshots extends AsyncDisposable {
  /**
   * Runs reads on one view of the store. The view is held until `work` is done, so `work` must not wait for a client.
   * One call at a time.
   */
  run<T>(work: (reads: SeriesReads) => Promise<T>): Promise<T>
}
