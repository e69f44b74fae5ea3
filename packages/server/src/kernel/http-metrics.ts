import { int32At } from './at.ts'

/** Labels of requests that failed before a route's own code ran. */
export const NO_ROUTE = 'none'
export const ANY_METHOD = 'any'

/**
 * The maximum number of combinations of route, method and status; further ones are counted under NO_ROUTE. Legitimate
 * traffic reaches a few hundred at most: there are some dozens of routes, with one or two methods and a handful of
 * statuses each.
 */
const MAX_LABEL_SETS = 1_000

/** Upper bounds of the histogram's buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

const DURATION = 'portico_http_request_duration_seconds'

/** Durations of a route and method. `buckets` are not cumulative; the last one has no upper bound. */
interface Durations {
  labels: { route: string; method: string }
  buckets: Float64Array
  sum: number
}

interface Responses {
  labels: { route: string; method: string; status: number }
  count: number
  durations: Durations
}

/** A metric in prom-client's exchange format, in which the metrics of several processes are added up. */
export interface MetricJson {
  name: string
  help: string
  /** `counter`, `gauge`, `histogram` or `summary`; declared by prom-client as an enumeration of numbers. */
  type: unknown
  aggregator: string
  values: MetricValue[]
}

interface MetricValue {
  /** For a histogram: the name of the metric with its suffix. */
  metricName?: string
  labels: Partial<Record<string, string | number>>
  value: number
}

/** Counts responses by route pattern, method and status. */
export interface HttpMetrics {
  count(route: string, method: string, status: number, seconds: number): void
  /** The number of responses so far, which other threads can read. */
  readonly total: Int32Array<SharedArrayBuffer>
  toJson(): MetricJson[]
}

/** Replaces prom-client's counters, whose lookup of the labels takes most of the time of an observation. */
export function createHttpMetrics(): HttpMetrics {
  const byRoute = new Map<string, Map<string, Map<number, Responses>>>()
  const responses: Responses[] = []
  const durations = new Map<string, Durations>()
  const total = new Int32Array(new SharedArrayBuffer(4))

  const durationsFor = (route: string, method: string): Durations => {
    const key = `${method} ${route}`
    let entry = durations.get(key)
    if (!entry) {
      entry = { labels: { route, method }, buckets: new Float64Array(BOUNDS.length + 1), sum: 0 }
      durations.set(key, entry)
    }
    return entry
  }

  const count = (route: string, method: string, status: number, seconds: number): void => {
    let byMethod = byRoute.get(route)
    if (!byMethod) byRoute.set(route, (byMethod = new Map()))
    let byStatus = byMethod.get(method)
    if (!byStatus) byMethod.set(method, (byStatus = new Map()))
    let entry = byStatus.get(status)
    if (!entry) {
      if (responses.length >= MAX_LABEL_SETS && route !== NO_ROUTE) {
        count(NO_ROUTE, ANY_METHOD, status, seconds)
        return
      }
      entry = { labels: { route, method, status }, count: 0, durations: durationsFor(route, method) }
      byStatus.set(status, entry)
      responses.push(entry)
    }
    entry.count += 1
    total[0] = int32At(total, 0) + 1
    observe(entry.durations, seconds)
  }

  return {
    count,
    total,
    toJson: () => [
      {
        name: 'portico_http_requests_total',
        help: 'Responses sent, by route pattern, method and status.',
        type: 'counter',
        aggregator: 'sum',
        values: responses.map(({ labels, count: value }) => ({ labels, value })),
      },
      {
        name: DURATION,
        help: 'Time from the request line until the response was passed to the connection, without waiting that the client requested.',
        type: 'histogram',
        aggregator: 'sum',
        values: [...durations.values()].flatMap(toValues),
      },
    ],
  }
}

function observe(durations: Durations, seconds: number): void {
  let index = 0
  for (const bound of BOUNDS) {
    if (seconds <= bound) break
    index += 1
  }
  durations.buckets[index]! += 1
  durations.sum += seconds
}

function toValues({ labels, buckets, sum }: Durations): MetricValue[] {
  let count = 0
  const cumulative = Array.from(buckets, (value, index) => ({
    metricName: `${DURATION}_bucket`,
    labels: { le: BOUNDS[index] ?? '+Inf', ...labels },
    value: (count += value),
  }))
  return [
    ...cumulative,
    { metricName: `${DURATION}_sum`, labels, value: sum },
    { metricName: `${DURATION}_count`, labels, value: count },
  ]
}
