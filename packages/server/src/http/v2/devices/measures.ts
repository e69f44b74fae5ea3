import type { Device } from '../../../domain/estate/inventory/site-model.ts'
import { getSources, isMeasured, type MetricName, METRICS } from '../../../domain/metric/catalogue.ts'

/** Whether the device has a series of the metric: its own, or one derived from what it measures. */
export const measures = ({ record }: Device, metric: MetricName): boolean =>
  (isMeasured(metric) ? [metric] : METRICS[metric].derive === 'emissions' ? getSources(metric) : []).some(
    (source) => Object.hasOwn(record.metrics, source),
  )
