import type { Interval } from '../../../calendar/window-edges.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import { getSources } from '../../../domain/metric/catalogue.ts'
import { deviceContributorLookup } from '../../../domain/telemetry/series/find-contributors.ts'
import { estimateDeviceWork } from '../../../domain/telemetry/series/query-cost.ts'
import { measures } from '../devices/measures.ts'
import type { BatchSubjects } from './batch-page.ts'
import { parseUuids, requireNamed } from './batch-parameters.ts'
import type { EncodeServices } from './encode-batch.ts'
import { type DeviceFilters, selectDevices } from './select-devices.ts'

/** The series of devices. */
export function listDeviceSeries(
  { seriesEncoder }: Pick<EncodeServices, 'seriesEncoder'>,
  model: SiteModel,
  filters: DeviceFilters,
  interval: Interval,
): BatchSubjects {
  const uuids = parseUuids('deviceUuids', filters.deviceUuids)
  const named = uuids && requireNamed('deviceUuids', uuids, model.devices, 'device')
  const devices = selectDevices(named ?? [...model.devices.values()], filters)
  return {
    ids: [...devices.keys()],
    list(id, metrics, range) {
      const device = devices.get(id)
      return metrics.flatMap((metric) =>
        device && (named || measures(device, metric))
          ? [
              {
                id,
                metric,
                find: deviceContributorLookup(device, getSources(metric)[0] ?? metric),
                work: estimateDeviceWork(device, metric, range),
                createEncode: (encoder = seriesEncoder) => encoder.device(model, device, metric, interval),
              },
            ]
          : [],
      )
    },
  }
}
