import { type DestinationStream, type Logger, pino } from 'pino'
import { systemClock } from './clock.ts'
import { hideSecrets } from './hide-secrets.ts'
import { wallClockText } from './wall-clock.ts'

export type Log = Logger

/**
 * JSON lines on standard output. pino escapes every value, so nothing a caller sends can begin a line of its own.
 * Headers and query strings are never logged; hiding values that are secret is a second fence around them.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${timeText(systemClock.now())}"`,
    // pino's own redaction would take longer than the rest of the line.
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
  }
  return pino(options, destination ?? standardOutput())
}

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
function timeText(now: number): string {
  const millis = now % 1000
  return `${wallClockText(now - millis)}.${String(millis).padStart(3, '0')}Z`
}
