import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

/** How often the delay is sampled. The histogram contains the sampling interval itself. */
const RESOLUTION_MS = 20
const NS_PER_SECOND = 1e9

/** Adds the delay of the event loop since the metrics were last computed; of several processes, the largest one. */
export function addEventLoopDelay(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const toSeconds = (ns: number): number => Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1_000)
  const gauge = new Gauge({
    name: 'portico_event_loop_delay_seconds',
    help: 'Delay of the event loop since the metrics were computed last, by quantile; quantile 1 is the maximum.',
    labelNames: ['quantile'],
    aggregator: 'max',
    registers: [],
    collect() {
      for (const quantile of [0.5, 0.99, 1])
        gauge.set({ quantile }, delays.count === 0 ? 0 : toSeconds(delays.percentile(quantile * 100)))
      delays.reset()
    },
  })
  registry.registerMetric(gauge)
}
