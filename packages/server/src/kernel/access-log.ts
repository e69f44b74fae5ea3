import type { DestinationStream } from 'pino'
import { createLineBudget } from './line-budget.ts'
import { formatTime, type Log, type LogOptions, standardOutput } from './log.ts'

export interface AccessLogEntry {
  traceId: string
  method: string
  /** Without the query string, in which callers sometimes put secrets. */
  path: string
  status: number
  /** Logged with one decimal. */
  ms: number
  address: string
  clientId: string | undefined
}

/** Writes one line for each request to the log. */
export interface AccessLog {
  write(level: 'debug' | 'info', entry: AccessLogEntry): void
  /** Whether a line about a rejected request may be written. One line a second reports how many were suppressed. */
  mayLogRefusal(): boolean
}

/**
 * Maximum number of lines about rejected requests that a process writes in a second. Anyone can send such requests:
 * without a bound, a flood of them would fill the disk, and logging would take more CPU time than responding.
 */
const MAX_REFUSAL_LINES_PER_SECOND = 100

/** Formats lines byte for byte as pino does, in a third of the time. */
export function createAccessLog(log: Log, { destination, worker }: LogOptions = {}): AccessLog {
  const stream: DestinationStream = destination ?? standardOutput()
  const base = worker === undefined ? '' : `,"worker":${worker}`
  const budget = createLineBudget(MAX_REFUSAL_LINES_PER_SECOND, (suppressed) =>
    log.warn({ suppressed }, 'further lines about refused requests were not written'),
  )
  return {
    write(level, { traceId, method, path, status, ms, address, clientId }) {
      if (!log.isLevelEnabled(level)) return
      const client = clientId === undefined ? '' : `,"clientId":${toJsonString(clientId)}`
      const response = `"method":"${method}","path":${toJsonString(path)},"status":${status},"ms":${Math.round(ms * 10) / 10}`
      const begin = `{"level":"${level}","time":"${formatTime()}"${base}`
      stream.write(
        `${begin},"traceId":"${traceId}",${response},"address":${toJsonString(address)}${client},"msg":"request"}\n`,
      )
    },
    mayLogRefusal: () => budget.take(),
  }
}

/** Characters that JSON does not escape: testing for them takes a fraction of the time of JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/

const toJsonString = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))
