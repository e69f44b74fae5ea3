import { BadValue, database, type DatabaseAddress } from '@portico/server/config/values'
import { copyStores, describeDatabase } from '@portico/server/operator/operator'
import { type Command, stringValue, UsageError, type Values } from '../command.ts'
import { formatBar, table } from '../output.ts'

type Report = Awaited<ReturnType<typeof copyStores>>

const SHOWN_DIGITS = 16

export const command: Command = {
  localOnly: 'it reads and writes stores itself; name them with --from and --to',
  ignoresStore: true,
  parameters: '--from URL --to URL',
  options: { from: { type: 'string' }, to: { type: 'string' } },
  help: {
    from: 'The store to copy: sqlite:FILE or postgres://…. It must not be in use during the copy.',
    to: 'An empty store, or an unfinished copy of the same source, which is resumed.',
  },
  async run({ values, out }) {
    const from = requireAddress(values, 'from')
    const to = requireAddress(values, 'to')
    const [source, target] = [describeDatabase(from), describeDatabase(to)]
    if (source === target) throw new UsageError('--from and --to name the same store')
    const report = await copyStores(from, to, createCopyProgress(out.note))
    out.result({ source, target, ...report }, describe(target, report))
    return report.isSame ? 0 : 1
  },
}

/** The address is never printed, because it may contain a password. */
function requireAddress(values: Values, name: string): DatabaseAddress {
  const text = stringValue(values, name)
  if (text === undefined) throw new UsageError('use: portico copy --from URL --to URL')
  try {
    return database(text)
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    throw new UsageError(`--${name} must be ${error.message}`)
  }
}

const describe = (target: string, { tables, isSame }: Report): string[] => [
  ...table(
    ['TABLE', 'ROWS', 'CHECKSUM', ''],
    tables.map(({ table: name, rows, checksum, difference }) => [
      name,
      String(rows),
      checksum.slice(0, SHOWN_DIGITS),
      difference ? 'differs' : 'same',
    ]),
  ),
  ...tables.flatMap(({ table: name, difference }) =>
    difference
      ? [
          `${name}: ${difference.sourceRows} rows in the source, ${difference.targetRows} in the target, after ${show(difference.after)} up to ${show(difference.upTo)}`,
        ]
      : [],
  ),
  isSame
    ? `${target} is a complete copy.`
    : `${target} differs from the source and cannot be served: empty it and copy again.`,
]

const show = (key: readonly unknown[] | null): string => (key ? JSON.stringify(key) : 'the beginning')

type Step = 'copying' | 'verifying'

const DONE: Record<Step, string> = { copying: 'copied', verifying: 'compared' }

/** Shows the progress of each table: drawn on a terminal, one line per table otherwise. */
function createCopyProgress(
  note: (line: string) => void,
): (step: Step, table: string, share: number) => void {
  if (!process.stderr.isTTY) {
    return (step, table, share) => {
      if (share === 1) note(`${DONE[step]} ${table}`)
    }
  }
  let shown = ''
  return (step, table, share) => {
    const percent = Math.floor(share * 100)
    const text = `\r${`${step} ${table}`.padEnd(30)} ${formatBar(share)} ${percent} %`.padEnd(64)
    if (text === shown) return
    shown = text
    process.stderr.write(percent === 100 ? `${text}\n` : text)
  }
}
