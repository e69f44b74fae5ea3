import { Windows } from '../../../calendar/interval.ts'
import type { Interval } from '../../../calendar/window-edges.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import type { Granularity } from '../../../domain/metric/catalogue.ts'
import type { Range } from '../../../domain/telemetry/series/range.ts'
import { listSpaceSeries } from './aggregate-series.ts'
import { createBatchBody, type EncodedBody } from './batch-body.ts'
import type { BatchJob, BatchRequest } from './batch-job.ts'
import type { BatchSeries, BatchSubjects } from './batch-page.ts'
import { listDeviceSeries } from './consumption-series.ts'
import { encodeEach, type EncodeServices } from './encode-batch.ts'

/** Lists the series of a request by space, group or device. */
export const listSubjects = (
  { of, filters }: BatchRequest,
  services: EncodeServices,
  model: SiteModel,
  granularity: Granularity,
  interval: Interval,
): BatchSubjects =>
  of === 'spaces'
    ? listSpaceSeries(services, model, filters, granularity, interval)
    : listDeviceSeries(services, model, filters, interval)

interface ComputeOptions {
  /** For a page whose encoded series would take too much memory together. */
  isWrittenEarly: boolean
  signal?: AbortSignal
}

/** Lists the series of a page in a thread that received only the job. */
export function listSeries(
  services: EncodeServices,
  model: SiteModel,
  { request, granularity, interval, edges, series }: BatchJob,
): BatchSeries[] {
  const windows = new Windows(edges)
  const { whole } = windows
  const range: Range = { windows, ...whole, until: Math.min(whole.to, services.clock.now()) }
  const { list } = listSubjects(request, services, model, granularity, interval)
  return series.flatMap(({ id, metrics }) => list(id, metrics, range))
}

/** Computes a page, in the thread in which it is called. */
export async function computeBatch(
  services: EncodeServices,
  model: SiteModel,
  { interval, edges, isPolled, type, head, idName, pagination }: BatchJob,
  series: readonly BatchSeries[],
  { isWrittenEarly, signal }: ComputeOptions,
): Promise<EncodedBody> {
  const windows = new Windows(edges)
  const body = createBatchBody({ head, idName, zone: model.zone, windows, pagination }, type, {
    isWrittenEarly,
  })
  for await (const encoded of encodeEach(services, model, interval, { series, windows }, isPolled, signal))
    body.add(encoded)
  return body.end()
}
