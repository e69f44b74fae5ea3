import type { Config } from '../config/config.ts'
import { encodeExport, prepareExport } from '../http/export/encode-export.ts'
import type { ExportJob } from '../http/export/export-job.ts'
import { createAggregate } from '../process/aggregate.ts'
import { createProviders } from '../process/providers.ts'
import { yieldIfDue } from '../kernel/time-slice.ts'
import type { Operator } from './operator.ts'

/** The bytes of an export of a site, from the store itself. */
export async function* exportRows(
  config: Config,
  operator: Operator,
  job: ExportJob,
): AsyncGenerator<Uint8Array> {
  const { clock, store } = operator
  const model = await operator.requireSite(job.siteUuid)
  const { carbon } = createProviders(config, clock, () => {})
  const aggregate = createAggregate(config, store, clock, carbon)
  const prepared = prepareExport({ clock, aggregate }, model, job)
  yield* encodeExport(prepared, () => store.openSnapshots(), yieldIfDue)
}
