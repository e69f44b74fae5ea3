import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { createRowEncoder } from '../../domain/telemetry/export/encoder.ts'
import type { Snapshots } from '../../domain/telemetry/export/store.ts'
import type { Pause } from '../../kernel/time-slice.ts'
import type { ExportJob } from './export-job.ts'
import type { PreparedExport } from './prepared-export.ts'
import { prepareReadings } from './readings.ts'
import { prepareWindows, type WindowServices } from './windows.ts'

/** Throws if a parameter is invalid. */
export const prepareExport = (services: WindowServices, model: SiteModel, job: ExportJob): PreparedExport =>
  job.kind === 'readings'
    ? prepareReadings(model, job.query, services.clock.now())
    : prepareWindows(services, model, job.query)

/** The bytes of an export. */
export async function* encodeExport(
  { options, read }: PreparedExport,
  openSnapshots: () => Snapshots,
  pause: Pause,
): AsyncGenerator<Uint8Array> {
  const encoder = await createRowEncoder(options)
  await using snapshots = openSnapshots()
  for await (const batch of read(snapshots, pause)) {
    const bytes = encoder.add(batch)
    await pause()
    if (bytes.length > 0) yield bytes
  }
  yield encoder.end()
}
