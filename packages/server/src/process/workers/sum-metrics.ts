import { AggregatorRegistry, type Registry } from 'prom-client'
import { createPartnerLabels } from '../../kernel/partner-metrics.ts'
import type { MetricsSnapshot } from './ipc-api.ts'

/** Metrics of several processes as one Prometheus text. */
export interface MetricsAggregator {
  /** Stores the latest metrics of a worker. */
  update(number: number, figures: MetricsSnapshot): void
  /** Keeps the counts of a worker that has ended: a total that decreased would look like a restart of the server. */
  retain(number: number): void
  text(own: MetricsSnapshot): Promise<string>
}

export function createMetricsAggregator(): MetricsAggregator {
  const labelPartners = createPartnerLabels()
  const addUp = (figures: MetricsSnapshot[]): Registry =>
    AggregatorRegistry.aggregate(figures.map(labelPartners))
  const latest = new Map<number, MetricsSnapshot>()
  let retained: Promise<MetricsSnapshot> = Promise.resolve([])

  return {
    update: (number, figures) => void latest.set(number, figures),
    retain(number) {
      const last = latest.get(number) ?? []
      latest.delete(number)
      retained = retained.then((before) => addUp([before, last.filter(isCount)]).getMetricsAsJSON())
    },
    text: async (own) => addUp([own, await retained, ...latest.values()]).metrics(),
  }
}

const COUNTS: unknown[] = ['counter', 'histogram']

const isCount = ({ type }: MetricsSnapshot[number]): boolean => COUNTS.includes(type)
