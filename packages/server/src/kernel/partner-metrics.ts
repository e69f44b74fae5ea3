import type { MetricJson } from './http-metrics.ts'

/** Label of the partners beyond the limit. */
export const OTHER_PARTNERS = 'other'

const MAX_PARTNERS = 100

/** Sums of the worker processes name the first partners that the primary learns of, so each process counts more. */
const MAX_COUNTED = 10 * MAX_PARTNERS

const REQUESTS = 'portico_partner_requests_total'
const REFUSALS = 'portico_partner_refusals_total'

interface PartnerCounts {
  requests: number
  /** By status, from 400 on. */
  refusals: Map<number, number>
}

/** Counts responses to authenticated requests by partner. */
export interface PartnerMetrics {
  count(partnerUuid: string, status: number): void
  toJson(): MetricJson[]
}

export function createPartnerMetrics(): PartnerMetrics {
  const byPartner = new Map<string, PartnerCounts>()
  const countsFor = (partner: string): PartnerCounts => {
    let counts = byPartner.get(partner)
    if (!counts) {
      if (byPartner.size >= MAX_COUNTED && partner !== OTHER_PARTNERS) return countsFor(OTHER_PARTNERS)
      byPartner.set(partner, (counts = { requests: 0, refusals: new Map() }))
    }
    return counts
  }
  return {
    count(partnerUuid, status) {
      const counts = countsFor(partnerUuid)
      counts.requests += 1
      if (status >= 400) counts.refusals.set(status, (counts.refusals.get(status) ?? 0) + 1)
    },
    toJson: () => [
      {
        name: REQUESTS,
        help: 'Responses to authenticated requests, by partner.',
        type: 'counter',
        aggregator: 'sum',
        values: [...byPartner].map(([partner, { requests }]) => ({ labels: { partner }, value: requests })),
      },
      {
        name: REFUSALS,
        help: 'Responses to authenticated requests with a status of 400 or more, by partner and status.',
        type: 'counter',
        aggregator: 'sum',
        values: [...byPartner].flatMap(([partner, { refusals }]) =>
          [...refusals].map(([status, value]) => ({ labels: { partner, status }, value })),
        ),
      },
    ],
  }
}

/**
 * Gives each of the first partners its own label, and all others a common one. A partner keeps its label while the
 * process runs.
 */
export function createPartnerLabels(): (metrics: readonly MetricJson[]) => MetricJson[] {
  const named = new Set<string>()
  const toLabel = (partner: string): string => {
    if (!named.has(partner)) {
      if (named.size >= MAX_PARTNERS) return OTHER_PARTNERS
      if (partner !== OTHER_PARTNERS) named.add(partner)
    }
    return partner
  }
  return (metrics) =>
    metrics.map((metric) =>
      metric.name === REQUESTS || metric.name === REFUSALS
        ? {
            ...metric,
            values: metric.values.map((value) => ({
              ...value,
              labels: { ...value.labels, partner: toLabel(String(value.labels['partner'])) },
            })),
          }
        : metric,
    )
}
