import type { Config } from '../../config/config.ts'
import type { ExportJob } from '../../http/export/export-job.ts'
import type { BatchJob } from '../../http/v2/aggregate/batch-job.ts'
import type { ThreadApi } from '../../kernel/called-thread.ts'

/** What the compute thread is started with. */
export interface ComputeData {
  config: Config
  /** Number of responses of this process so far. */
  responses: Int32Array<SharedArrayBuffer>
}

/** Calls that the compute thread accepts. */
export interface ComputeApi extends ThreadApi {
  /** Computes a page and holds its body until `drop` is called. Returns the digest of the body. */
  computeBatch(id: number, job: BatchJob): Promise<string>
  /** Begins an export, which continues as its body is read. */
  openExport(id: number, job: ExportJob): Promise<void>
  /** The next bytes of a body; null at the end. */
  readBody(id: number): Promise<Uint8Array | null>
  /** Frees a body, or stops its computation. */
  drop(id: number): void
}
