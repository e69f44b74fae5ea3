import { type DestinationStream, type Logger, pino } from 'pino'
import { systemClock } from './clock.ts'
import { hideSecrets } from './hide-secrets.ts'
import { createLineBudget, type LineBudget } from './line-budget.ts'
import { wallClockText } from './wall-clock.ts'

export type Log = Logger

/**
 * JSON lines on standard output. pino escapes every value, so nothing a caller sends can begin a line of its own.
 * Headers and query strings are never logged; hiding values that are secret is a second fence around them.
 */
export function createLog(level: string, { destination, worker }: LogOptions = {}): Log {
  const options = {
    level,
    base: worker === undefined ? null : { worker },
    timestamp: () => `,"time":"${timeText(systemClock.now())}"`,
    // pino's own redaction would take longer than the rest of the line.
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
  }
  const stream = destination ?? standardOutput()
  const log = pino(options, stream)
  lines.set(log, { stream, base: worker === undefined ? '' : `,"worker":${worker}` })
  return log
}

interface LogOptions {
  /** Standard output, unless said otherwise. */
  destination?: DestinationStream
  /** Which of several processes speaks: every line says so. */
  worker?: number
}

/** Where the lines of a log go, and what each begins with after its time. */
const lines = new WeakMap<Log, { stream: DestinationStream; base: string }>()

/**
 * Lines about refused requests that a process may write in a second. Anyone can send such requests: without a bound, a flood of them
 * would fill the disk, and logging would take more processor time than responding.
 */
const MAX_REFUSAL_LINES_PER_SECOND = 100

const refusalBudgets = new WeakMap<Log, LineBudget>()

/** Whether a line about a refused request may be written. Suppressed lines are counted, and one line a second reports their number. */
export function mayLogRefusal(log: Log): boolean {
  let budget = refusalBudgets.get(log)
  if (!budget) {
    budget = createLineBudget(MAX_REFUSAL_LINES_PER_SECOND, (suppressed) =>
      log.warn({ suppressed }, 'further lines about refused requests were not written'),
    )
    refusalBudgets.set(log, budget)
  }
  return budget.take()
}

/** What is said of an answer. */
export interface AnswerLine {
  traceId: string
  method: string
  path: string
  status: number
  ms: number
  address: string
  clientId: string | undefined
}

/** The line of a request, to the byte as pino writes it. There is one for each: known parts put together take a third of the time. */
export function logAnswer(log: Log, level: 'debug' | 'info', line: AnswerLine): void {
  const known = lines.get(log)
  if (!known || !log.isLevelEnabled(level)) return
  const { traceId, method, path, status, ms, address, clientId } = line
  const caller = clientId === undefined ? '' : `,"clientId":${quoted(clientId)}`
  const about = `"method":"${method}","path":${quoted(path)},"status":${status},"ms":${ms}`
  const begin = `{"level":"${level}","time":"${timeText(systemClock.now())}"${known.base}`
  known.stream.write(
    `${begin},"traceId":"${traceId}",${about},"address":${quoted(address)}${caller},"msg":"request"}\n`,
  )
}

/** Letters that JSON writes as they are: nearly always, and seen in a fraction of the time that JSON.stringify takes. */
const PLAIN = /^[ !#-[\]-~]*$/

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** Lines of one turn of the event loop are written together: a system call each would cost as much as making them. */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: true })
  let waiting = ''
  const flush = (): void => {
    const lines = waiting
    waiting = ''
    if (lines !== '') out.write(lines)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (waiting === '') setImmediate(flush)
      waiting += line
    },
  }
}

let last = { now: Number.NaN, text: '' }

/** Many lines are of the same millisecond. */
function timeText(now: number): string {
  if (now !== last.now) {
    const millis = now % 1000
    last = { now, text: `${wallClockText(now - millis)}.${String(millis).padStart(3, '0')}Z` }
  }
  return last.text
}
