import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/**
 * JSON lines on standard output. pino escapes every value, so nothing a caller sends can begin a line of its own.
 * Headers and query strings are never logged; the paths below are a second fence around values that are secret.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ['clientSecret', 'authorization', 'token', '*.clientSecret', '*.authorization', '*.token'],
      censor: '[redacted]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
