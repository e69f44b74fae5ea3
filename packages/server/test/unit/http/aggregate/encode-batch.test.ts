import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Windows } from '../../../../src/calendar/interval.ts'
import type { SiteModel } from '../../../../src/domain/estate/inventory/site-model.ts'
import type { BatchSeries } from '../../../../src/http/v2/aggregate/batch-page.ts'
import { encodeEach, type EncodeServices } from '../../../../src/http/v2/aggregate/encode-batch.ts'
import type { EncodedSeries } from '../../../../src/http/v2/series-encoding/encoded-series.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'

test('a computation that is aborted ends with the series in progress', async () => {
  const stopping = new AbortController()
  let encoded = 0
  const series = Array.from(
    { length: 10 },
    (): BatchSeries => ({
      id: 'space',
      metric: 'temperature',
      find: () => [],
      work: 1,
      createEncode: () => () => {
        encoded += 1
        if (encoded === 3) stopping.abort()
        return {} as EncodedSeries
      },
    }),
  )
  const services = {
    clock: systemClock,
    seriesReads: { rollups: { versions: {} } },
    seriesEncoder: { over: () => undefined },
  } as unknown as EncodeServices
  const page = { series, windows: new Windows([0, 1]) }
  const computing = async (): Promise<void> => {
    for await (const _ of encodeEach(services, {} as SiteModel, 'PT15M', page, false, stopping.signal));
  }
  await assert.rejects(computing(), { name: 'AbortError' })
  assert.equal(encoded, 3)
})
