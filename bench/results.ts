import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import type { Row } from './benchmark.ts'
import { loader } from './support/saturate.ts'

export interface Section {
  name: string
  about: string
  rows: readonly Row[]
}

export function toMarkdown({ name, about, rows }: Section): string {
  return `## ${name}\n\n${about}\n\n${table(rows)}`
}

const COLUMNS: [name: string, cell: (row: Row) => string | undefined][] = [
  ['what', ({ label }) => label],
  ['figure', ({ value }) => value],
  ['wanted', ({ target }) => target],
  [
    'reached',
    ({ ratioToTarget }) => (ratioToTarget === undefined ? undefined : ratioToTarget >= 1 ? 'yes' : '**no**'),
  ],
  ['made of', ({ detail }) => detail],
]

/** Columns without any value are omitted. */
function table(rows: readonly Row[]): string {
  const columns = COLUMNS.filter(([, cell]) => rows.some((row) => cell(row) !== undefined))
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(([name]) => name)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row) ?? ''))),
  ].join('\n')
}

/** The results page of a complete run. */
export function toPage(sections: readonly Section[]): string {
  const intro = [
    `Made by \`npm run bench\` on ${machine()}.`,
    'Ratios are medians of interleaved rounds, with the lowest and the highest of a round in brackets; a ratio says more about another machine than a time does.',
    'The server runs as a user starts it: authentication and logging on, the rate limit off; callers run on the same machine.',
  ]
  return `# Results\n\n${intro.join('\n')}\n\n![How much of what is wanted each figure reached](results.svg)\n\n${sections.map(toMarkdown).join('\n\n')}\n`
}

const machine = (): string =>
  [
    `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.version}`,
    `commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`,
    `load by ${loader}`,
  ].join(', ')
