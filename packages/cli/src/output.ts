import type { Output } from './command.ts'

const write = (text: string): void => void process.stdout.write(text)

export function createOutput(isJson: boolean): Output {
  return {
    isJson,
    text: write,
    result(value, lines) {
      if (isJson) write(`${JSON.stringify(value)}\n`)
      else write(`${[lines].flat().join('\n')}\n`)
    },
    note(line) {
      if (!isJson) process.stderr.write(`${line}\n`)
    },
  }
}

/** A table with a heading and columns of the necessary width. */
export function table(heading: string[], rows: string[][]): string[] {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  return [heading, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** `name  value` lines. */
export const fields = (entries: [string, string][]): string[] => {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}

const BAR_WIDTH = 25

/** A progress bar. */
export const formatBar = (share: number): string =>
  '█'.repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')

/** `1 gateway`, `2 gateways`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
