import { Counter, Histogram, type Registry } from 'prom-client'

/** Labels of requests that failed before a route's own code ran. */
export const NO_ROUTE = 'none'
export const ANY_METHOD = 'any'

/**
 * The maximum number of combinations of route, method and status; further ones are counted under NO_ROUTE. Legitimate traffic reaches a
 * few hundred at most: there are some dozens of routes, with one or two methods and a handful of statuses each.
 */
const MAX_LABEL_SETS = 1_000

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

const TIMES = {
  name: 'portico_http_request_duration_seconds',
  help: 'Time from the request line to the end of the answer.',
}

/** How long the answers of a route to a method took: how many within each bound and no smaller one, and in all. */
interface Times {
  labels: { route: string; method: string }
  within: number[]
  count: number
  sum: number
}

interface Answers {
  labels: { route: string; method: string; status: number }
  count: number
  times: Times
}

/**
 * prom-client finds the labels of every observation anew, which takes longer than all else that is done to count an answer. Here they
 * are found once, and what was counted is put under them when somebody looks.
 */
class AnswerTimes extends Histogram {
  readonly #all = new Map<string, Times>()
  /** What is said of any. */
  readonly #empty = new Histogram({ ...TIMES, registers: [] })

  of(route: string, method: string): Times {
    const key = `${method} ${route}`
    let times = this.#all.get(key)
    if (!times) {
      times = { labels: { route, method }, within: BOUNDS.map(() => 0), count: 0, sum: 0 }
      this.#all.set(key, times)
    }
    return times
  }

  override async get(): ReturnType<Histogram['get']> {
    const values = [...this.#all.values()].flatMap(({ labels, within, count, sum }) => {
      let soFar = 0
      const buckets = BOUNDS.map((le, index) => ({ le, value: (soFar += within[index] ?? 0) }))
      return [
        ...[...buckets, { le: '+Inf', value: count }].map(({ le, value }) => ({
          metricName: `${TIMES.name}_bucket`,
          labels: { le, ...labels },
          value,
        })),
        { metricName: `${TIMES.name}_sum`, labels, value: sum },
        { metricName: `${TIMES.name}_count`, labels, value: count },
      ]
    })
    return { ...(await this.#empty.get()), values }
  }

  /** What the registry asks for when it writes text. */
  getForPromString(): ReturnType<Histogram['get']> {
    return this.get()
  }
}

/** Counts answers by route pattern, method and status. */
export function answerCounter(registers: Registry[]) {
  const times = new AnswerTimes({
    ...TIMES,
    labelNames: ['route', 'method'],
    registers,
  })
  const known = new Map<string, Map<string, Map<number, Answers>>>()
  const all: Answers[] = []
  const requests: Counter = new Counter({
    name: 'portico_http_requests_total',
    help: 'Answers sent, by route pattern, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
    collect() {
      requests.reset()
      for (const { labels, count } of all) requests.inc(labels, count)
    },
  })
  const begin = (route: string, method: string, status: number): Answers => {
    const begun = { labels: { route, method, status }, count: 0, times: times.of(route, method) }
    all.push(begun)
    return begun
  }
  const count = (route: string, method: string, status: number, seconds: number): void => {
    let ofRoute = known.get(route)
    if (!ofRoute) known.set(route, (ofRoute = new Map()))
    let ofMethod = ofRoute.get(method)
    if (!ofMethod) ofRoute.set(method, (ofMethod = new Map()))
    let answers = ofMethod.get(status)
    if (!answers) {
      if (all.length >= MAX_LABEL_SETS && route !== NO_ROUTE) {
        count(NO_ROUTE, ANY_METHOD, status, seconds)
        return
      }
      ofMethod.set(status, (answers = begin(route, method, status)))
    }
    answers.count += 1
    note(answers.times, seconds)
  }
  return count
}

function note(times: Times, seconds: number): void {
  times.count += 1
  times.sum += seconds
  const index = BOUNDS.findIndex((bound) => seconds <= bound)
  if (index >= 0) times.within[index] = (times.within[index] ?? 0) + 1
}
