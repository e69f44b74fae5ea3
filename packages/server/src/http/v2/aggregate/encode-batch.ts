import type { Windows } from '../../../calendar/interval.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { BatchSeries } from './batch-page.ts'
import type { EncodedBatch } from './batch-body.ts'

/** Computes the series of a page one after another; other requests are processed in between. */
export async function encodeAll(
  series: readonly BatchSeries[],
  windows: Windows,
  isPolled: boolean,
): Promise<EncodedBatch['series']> {
  const encoded: EncodedBatch['series'][number][] = []
  for (const { id, metric, encode } of series) {
    await yieldIfDue()
    encoded.push({ id, metric, encoded: await encode(windows, isPolled) })
  }
  return encoded
}
