import { type DestinationStream, type Logger, pino } from 'pino'
import { systemClock } from './clock.ts'
import { wallClockText } from './wall-clock.ts'

export type Log = Logger

export interface LogOptions {
  /** Standard output if absent. */
  destination?: DestinationStream
  /** The number of a worker process; every line contains it. */
  worker?: number
}

/**
 * JSON lines on standard output. pino escapes every value, so a caller cannot inject a line. Headers and query strings
 * are never logged; redaction is a second safeguard.
 */
export function createLog(level: string, { destination, worker }: LogOptions = {}): Log {
  const options = {
    level,
    base: worker === undefined ? null : { worker },
    timestamp: () => `,"time":"${formatTime()}"`,
    // pino's own redaction takes longer than the rest of the formatting.
    formatters: { level: (label: string) => ({ level: label }), log: redact },
  }
  return pino(options, destination ?? standardOutput())
}

let sharedOutput: DestinationStream | undefined

/** The stream that all logs of a process share, so that their lines stay in order. */
export const standardOutput = (): DestinationStream => (sharedOutput ??= openStandardOutput())

/** Lines of one event-loop tick are written together: a system call for each would cost as much as formatting it. */
function openStandardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: true })
  let buffered = ''
  const flush = (): void => {
    const lines = buffered
    buffered = ''
    if (lines !== '') out.write(lines)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (buffered === '') setImmediate(flush)
      buffered += line
    },
  }
}

let last = { now: Number.NaN, text: '' }

/** The current time; cached, because many lines fall in the same millisecond. */
export function formatTime(): string {
  const now = systemClock.now()
  if (now !== last.now) {
    const millis = now % 1000
    last = { now, text: `${wallClockText(now - millis)}.${String(millis).padStart(3, '0')}Z` }
  }
  return last.text
}

const SECRET_NAMES = ['clientSecret', 'authorization', 'token'] as const
const HIDDEN = '[redacted]'

type Entry = Record<string, unknown>

/** Redacts the values with a secret name in a log entry, at its top level and one level below. */
function redact(entry: Entry): Entry {
  let safe = hideIn(entry)
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value !== 'object' || value === null) continue
    const inner = hideIn(value)
    if (inner === value) continue
    if (safe === entry) safe = { ...entry }
    safe[name] = inner
  }
  return safe
}

/** Returns the value itself if it has no secrets, which is nearly always the case. */
function hideIn<T extends object>(value: T): T {
  const secret = SECRET_NAMES.filter((name) => Object.hasOwn(value, name))
  if (secret.length === 0) return value
  const hidden = Object.fromEntries(secret.map((name) => [name, HIDDEN]))
  // Copying an error would lose its class, message and stack.
  return value instanceof Error
    ? Object.create(value, Object.getOwnPropertyDescriptors(hidden))
    : { ...value, ...hidden }
}
