import type { DestinationStream } from 'pino'

type Entry = Record<string, unknown>

const ESCAPES = { red: 31, green: 32, yellow: 33, blue: 34, cyan: 36, grey: 90 } as const

type Colour = keyof typeof ESCAPES

const LEVELS: Record<string, Colour> = {
  trace: 'grey',
  debug: 'grey',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
}

/**
 * Writes the JSON lines of a log as human-readable text. It parses the lines again, so that JSON output, the production
 * case, costs nothing extra.
 */
export function createPrettyOutput(
  out: DestinationStream,
  { isColoured }: { isColoured: boolean },
): DestinationStream {
  const paint = (colour: Colour, text: string): string =>
    isColoured ? `\u001b[${ESCAPES[colour]}m${text}\u001b[0m` : text
  return {
    write(line) {
      const entry = parse(line)
      if (!entry) return out.write(line)
      const { level = '', time = '', msg = '', ...fields } = entry
      const name = toText(level)
      const begin = `${paint('grey', toLocalTime(toText(time)))} ${paint(LEVELS[name] ?? 'grey', name.toUpperCase().padEnd(5))}`
      const text = msg === 'request' ? formatRequest(fields, paint) : formatOther(toText(msg), fields, paint)
      out.write(`${begin} ${text}\n`)
    },
  }
}

type Paint = (colour: Colour, text: string) => string

function formatRequest({ method, path, status, ms, worker }: Entry, paint: Paint): string {
  const code = Number(status)
  const colour = code >= 500 ? 'red' : code >= 400 ? 'yellow' : code >= 300 ? 'cyan' : 'green'
  const suffix = worker === undefined ? '' : paint('grey', ` worker ${toText(worker)}`)
  return `${toText(method)} ${toText(path)} ${paint(colour, toText(status))} ${paint('grey', `${toText(ms)} ms`)}${suffix}`
}

/** The message, its fields as `name=value`, and the stack of an error on separate lines. */
function formatOther(message: string, fields: Entry, paint: Paint): string {
  const { err, ...others } = fields
  const shown = Object.entries(others).map(([name, value]) => paint('grey', `${name}=${toText(value)}`))
  const { stack, message: reason } = (typeof err === 'object' && err !== null ? err : {}) as Entry
  const detail = typeof stack === 'string' ? stack : typeof reason === 'string' ? reason : ''
  const lines = detail === '' ? [] : detail.split('\n').map((line) => `    ${toText(line.trim())}`)
  return [[message, ...shown].join(' '), ...lines].join('\n')
}

function parse(line: string): Entry | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Entry) : undefined
  } catch {
    return undefined
  }
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g

/** Text without terminal escape sequences that a caller could have injected. */
function toText(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** `hh:mm:ss` in the time zone of the terminal. */
function toLocalTime(instant: string): string {
  const at = new Date(instant)
  return Number.isNaN(at.getTime()) ? instant : at.toTimeString().slice(0, 8)
}
