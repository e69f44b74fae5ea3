import type { Config } from '../config/config.ts'
import { createRowEncoder } from '../domain/telemetry/export/encoder.ts'
import type { ExportKind } from '../domain/telemetry/export/format.ts'
import { prepareReadings, type ReadingsQuery } from '../http/export/readings.ts'
import { prepareWindows, type WindowsQuery } from '../http/export/windows.ts'
import { createAggregate } from '../process/aggregate.ts'
import { createProviders } from '../process/providers.ts'
import type { Operator } from './operator.ts'

export { EXPORT_FORMAT_NAMES } from '../domain/telemetry/export/format.ts'

export type ExportQuery = ReadingsQuery & WindowsQuery

/** The bytes of an export of a site, from the store itself. */
export async function* exportRows(
  config: Config,
  operator: Operator,
  kind: ExportKind,
  siteUuid: string,
  query: ExportQuery,
): AsyncGenerator<Uint8Array> {
  const { clock, store } = operator
  const model = await operator.requireSite(siteUuid)
  const { carbon } = createProviders(config, clock, () => {})
  const { options, read } =
    kind === 'readings'
      ? prepareReadings(model, query, clock.now())
      : prepareWindows({ clock, aggregate: createAggregate(config, store, clock, carbon) }, model, query)
  const encoder = await createRowEncoder(options)
  await using snapshots = store.openSnapshots()
  for await (const batch of read(snapshots)) yield encoder.add(batch)
  yield encoder.end()
}
