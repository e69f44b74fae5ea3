import { createClient, defineScript } from '@redis/client'
import { backoffMs } from '../../../kernel/retry.ts'
import { withTimeout } from '../../../kernel/concurrency.ts'
import type { WindowCounters } from './sliding-window.ts'
import type { LimitRequest } from './limits.ts'
import { REFUND, CONSUME } from './redis-scripts.ts'
import type { SharedCounters } from './shared-counters.ts'

const CONNECT_WITHIN_MS = 2_000
const RESPOND_WITHIN_MS = 250

/** Counters in Redis. One script per request makes checking and counting atomic. */
export function redisCounts(url: string): SharedCounters {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_WITHIN_MS,
      reconnectStrategy: (retries) => backoffMs(retries + 1),
    },
    scripts: { consume: script(CONSUME), refund: script(REFUND) },
  })
  // Each call reports its own failure; an `error` event without a listener would end the process.
  client.on('error', () => {})
  const connecting = client.connect().catch(() => {})

  return {
    async consume(use) {
      const reply = await withTimeout(RESPOND_WITHIN_MS, client.consume(toRedisKey(use), toArguments(use)))
      const [now = 0, ...numbers] = (reply as unknown[]).map(Number)
      return {
        now,
        windows: use.windows.map((window, index) => ({ window, buckets: bucketsIn(numbers, index) })),
      }
    },
    async refund(use) {
      await withTimeout(RESPOND_WITHIN_MS, client.refund(toRedisKey(use), toArguments(use)))
    },
    async close() {
      client.destroy()
      await connecting
    },
  }
}

const toRedisKey = ({ kind, key }: LimitRequest): string => `portico:limit:${kind}:${key}`

const toArguments = ({ windows, cost = 1 }: LimitRequest): string[] => [
  String(cost),
  ...windows.flatMap(({ limit, ms }) => [String(limit), String(ms)]),
]

const bucketsIn = (numbers: readonly number[], index: number): WindowCounters => {
  const [start = 0, current = 0, previous = 0] = numbers.slice(index * 3, index * 3 + 3)
  return { start, current, previous }
}

const script = (text: string) =>
  defineScript({
    SCRIPT: text,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, rest: string[]) {
      parser.pushKey(key)
      parser.push(...rest)
    },
    transformReply: (reply: unknown) => reply,
  })
