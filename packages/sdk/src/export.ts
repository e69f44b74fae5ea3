import { toQuery } from './batch.ts'
import { Call } from './call.ts'
import type { Answer, CallOptions } from './send.ts'
import { SiteCalls } from './site-calls.ts'
import type { ExportReadingsQuery, ExportWindowsQuery, MetricName } from './types.ts'

interface ExportRange {
  /** Inclusive. */
  from: string | Date
  /** Exclusive; at most 366 days later. */
  to: string | Date
  /** At most 8; all if absent. */
  metricTypes?: readonly MetricName[] | undefined
}

type Selection<Q> = Omit<Q, 'fromDateTime' | 'toDateTime' | 'metricTypes' | 'spaceUuids' | 'deviceUuids'> &
  ExportRange

export type ReadingsExport = Selection<ExportReadingsQuery> & {
  /** At most 200; all if absent. */
  deviceUuids?: readonly string[] | undefined
}

export type WindowsExport = Selection<ExportWindowsQuery> & {
  /** At most 200; all if absent. */
  spaceUuids?: readonly string[] | undefined
}

/** The bytes of a file. Reading fails if the export is interrupted: a stream that ends without an error is complete. */
export type ExportStream = ReadableStream<Uint8Array<ArrayBuffer>>

/** Readings and windows in bulk, as NDJSON, CSV or Parquet. */
export class Exports extends SiteCalls {
  /**
   * Every reading of the devices.
   *
   * @example
   * const rows = await site.export.readings({ from: '2026-11-01', to: '2026-12-01', format: 'parquet' })
   * await writeFile('november.parquet', rows)
   */
  readings(query: ReadingsExport, options?: CallOptions): Call<ExportStream> {
    return new Call(this.#open('readings', query, options))
  }

  /** The windows of the spaces, with the values of single reads. */
  windows(query: WindowsExport, options?: CallOptions): Call<ExportStream> {
    return new Call(this.#open('windows', query, options))
  }

  async #open(
    kind: string,
    query: ReadingsExport | WindowsExport,
    options: CallOptions | undefined,
  ): Promise<Answer<ExportStream>> {
    const path = `/export/${kind}`
    const request = { method: 'GET', path, query: toQuery(query), siteId: this.siteUuid, isStream: true }
    const answer = await this.send(request, options)
    return { ...answer, data: answer.response.body as ExportStream }
  }
}
