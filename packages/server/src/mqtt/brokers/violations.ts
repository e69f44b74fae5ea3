import type { StoredGateway } from '../../domain/estate/gateway/gateway.ts'
import { BoundedCache } from '../../kernel/cache.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Rejection } from '../../domain/telemetry/reading/validate.ts'
import {
  BYTE_BOUNDS,
  DRAIN_WITHIN_MS,
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_SUBSCRIPTIONS,
  MAX_SUBSCRIPTIONS_PER_ACCOUNT,
  MAX_UNRELEASED_QOS2,
} from './bounds.ts'
import type { Rejections } from '../handlers/rejections.ts'

const toMib = (bytes: number): string => `${bytes / 1024 / 1024} MiB`

/** Messages for the operator about bounds of the embedded broker that an account exceeded. */
export const TOO_MANY_CONNECTIONS: Rejection = {
  code: 'too-many-connections',
  message: `An account may have at most ${MAX_CONNECTIONS_PER_ACCOUNT} connections; another one was rejected.`,
}
export const TOO_MANY_SUBSCRIPTIONS: Rejection = {
  code: 'too-many-subscriptions',
  message: `A connection may have at most ${MAX_SUBSCRIPTIONS} subscriptions and an account ${MAX_SUBSCRIPTIONS_PER_ACCOUNT}; another one was rejected.`,
}
export const SLOW_CONSUMER: Rejection = {
  code: 'slow-consumer',
  message:
    `A subscriber did not read its messages: more than ${toMib(BYTE_BOUNDS.outgoing.connection)} was pending for the connection or ` +
    `${toMib(BYTE_BOUNDS.outgoing.account)} for the account, or nothing was read for ${DRAIN_WITHIN_MS / 1000} s. The connection was closed.`,
}
export const INCOMPLETE_PACKETS: Rejection = {
  code: 'incomplete-packets',
  message: `The account had more than ${toMib(BYTE_BOUNDS.incomplete.account)} of incomplete packets. The connection was closed.`,
}
export const UNRELEASED_QOS2: Rejection = {
  code: 'unreleased-qos2',
  message: `More than ${MAX_UNRELEASED_QOS2} QoS 2 messages were waiting for their PUBREL. The connection was closed.`,
}

/**
 * A client that repeats a violation in a loop must not push other messages out of the operator's list of rejected
 * messages.
 */
const REPORT_EVERY_MS = 60_000
const MAX_REMEMBERED = 10_000

export interface Violations {
  /** Counts a violation, and adds at most one per minute, account and reason to the list of rejected messages. */
  report(gateway: StoredGateway, violation: Rejection, topic?: string): void
}

export function createViolations(deps: {
  rejections: Rejections
  clock: Clock
  metrics: Pick<Metrics, 'mqttRejected'>
}): Violations {
  const { rejections, clock, metrics } = deps
  const lastReports = new BoundedCache<string, number>(MAX_REMEMBERED)
  return {
    report(gateway, violation, topic = '') {
      const key = `${gateway.gatewayUuid} ${violation.code}`
      const now = clock.now()
      const last = lastReports.get(key)
      if (last !== undefined && Math.abs(now - last) < REPORT_EVERY_MS) {
        metrics.mqttRejected.inc({ reason: violation.code })
        return
      }
      lastReports.set(key, now)
      const message = {
        topic,
        payload: Buffer.alloc(0),
        payloadBytes: 0,
        isDuplicate: false,
        isRetainedCopy: false,
        gateway,
      }
      void rejections.add(message, violation)
    },
  }
}
