import type { Socket } from 'node:net'
import { stopwatch } from '../../../kernel/clock.ts'
import type { ClockReason } from './connection-clock.ts'
import type { Services } from '../../services.ts'

/** Why the server closed a connection that the client had left open. */
export type CloseReason = ClockReason | 'too many connections of one address' | 'too many pipelined requests'

export type ReportClosed = (reason: CloseReason, socket: Socket) => void

/** An attack can cause thousands of closed connections per second; one line per minute is as informative. */
const LOG_INTERVAL_MS = 60_000

/** Counts closed connections by reason and logs them, at most one line per minute and reason. */
export function createReportClosed({ log, metrics }: Pick<Services, 'log' | 'metrics'>): ReportClosed {
  const lines = new Map<CloseReason, { at: number; closedSince: number }>()
  return (reason, socket) => {
    metrics.connectionsClosed.inc({ reason })
    const last = lines.get(reason)
    if (last && stopwatch() - last.at < LOG_INTERVAL_MS) {
      last.closedSince += 1
      return
    }
    const closed = (last?.closedSince ?? 0) + 1
    log.warn({ reason, address: socket.remoteAddress, closed }, 'connection closed')
    lines.set(reason, { at: stopwatch(), closedSince: 0 })
  }
}
