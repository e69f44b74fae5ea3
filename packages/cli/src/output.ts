import type { Output, ProgressLine } from './command.ts'

const write = (text: string): void => void process.stdout.write(text)

export function createOutput(isJson: boolean): Output {
  const { progress, printAbove } = createProgressLine()
  return {
    isJson,
    text: write,
    result(value, lines) {
      if (isJson) write(`${JSON.stringify(value)}\n`)
      else write(`${[lines].flat().join('\n')}\n`)
    },
    note(line) {
      if (!isJson) printAbove(line)
    },
    progress,
  }
}

const ERASE_LINE = '\r\u001b[K'

function createProgressLine(): { progress: ProgressLine; printAbove: (line: string) => void } {
  const { stderr } = process
  let shown = ''
  const leave = (text: string): void => {
    if (shown !== '') stderr.write(text)
    shown = ''
  }
  return {
    progress: {
      show(text) {
        if (!stderr.isTTY || text === shown) return
        shown = text
        stderr.write(`${ERASE_LINE}${text}`)
      },
      end: () => leave('\n'),
      clear: () => leave(ERASE_LINE),
    },
    printAbove: (line) => void stderr.write(shown === '' ? `${line}\n` : `${ERASE_LINE}${line}\n${shown}`),
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
