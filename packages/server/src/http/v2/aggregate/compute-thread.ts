import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { ExportJob } from '../../export/export-job.ts'
import type { StreamedBody } from '../../pipeline/body/streamed-body.ts'
import type { BatchJob } from './batch-job.ts'

/** A thread for computations that would delay other requests. */
export interface ComputeThread {
  /**
   * Computes a page of about `bytes` bytes; undefined if the client has closed the connection meanwhile, which stops
   * the computation.
   */
  computeBatch(job: BatchJob, response: ServerResponse, bytes: number): Promise<StreamedBody | undefined>
  /** Reads and encodes an export while it is sent. */
  runExport(job: ExportJob): Readable
}
