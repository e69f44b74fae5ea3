import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { FORMATS, OperatorError, type Operator, openOperator } from '@portico/server/operator/operator'
import { type Command, stringValue, UsageError } from '../command.ts'
import { openCheckpoint } from '../import/checkpoint.ts'
import { createProgress, Interrupted, readSource } from '../import/source.ts'

const TYPES: Record<string, string> = {
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
  '.json': 'application/json',
  '.csv': 'text/csv',
}
const NAMES: Record<string, string> = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
}

type Report = Awaited<ReturnType<ReturnType<Operator['createReadingImport']>['finish']>> & {
  file: string
  isInterrupted: boolean
}

export const command: Command = {
  parameters: 'FILE…',
  positionals: { min: 1, max: 10_000 },
  options: { format: { type: 'string' } },
  help: {
    format: `ndjson, json or csv; by default derived from the file’s extension. Required for - (standard input).`,
  },
  async run({ config, values, positionals, out }) {
    const format = stringValue(values, 'format')
    for (const file of positionals) resolveMediaType(file, format)
    const interruption = new AbortController()
    process.once('SIGINT', () => interruption.abort())
    const isInterrupted = (): boolean => interruption.signal.aborted
    await using operator = await openOperator(config, { create: false })
    const reports: Report[] = []
    for (const file of positionals) {
      if (isInterrupted()) break
      reports.push(
        await importFile(operator, config.dataDir, file, resolveMediaType(file, format), isInterrupted),
      )
    }
    out.result({ files: reports }, reports.flatMap(describe))
    return isInterrupted() ? 1 : 0
  },
}

function resolveMediaType(file: string, format: string | undefined): string {
  const type = format === undefined ? TYPES[extname(file).toLowerCase()] : NAMES[format]
  if (type === undefined)
    throw new UsageError(`the format of ${file} is unknown; use --format ndjson, json or csv`)
  if (file !== '-' && !existsSync(file)) throw new OperatorError(`${file} does not exist`)
  return type
}

/**
 * A JSON array is usually a single line, so it cannot be resumed by line; the other formats resume where they stopped.
 */
async function importFile(
  operator: Operator,
  dataDir: string,
  file: string,
  type: string,
  isInterrupted: () => boolean,
): Promise<Report> {
  const checkpoint = file === '-' ? undefined : openCheckpoint(dataDir, file)
  const intake = operator.createReadingImport({
    ...(checkpoint ? { skipLines: checkpoint.line } : {}),
    onDurable: (line) => checkpoint?.save(line),
  })
  let hasEnded = true
  try {
    await FORMATS[type]?.(readSource(file, createProgress(file), isInterrupted), intake)
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    hasEnded = false
  }
  const report = await intake.finish()
  if (hasEnded) checkpoint?.done()
  return { file, isInterrupted: !hasEnded, ...report }
}

const describe = (report: Report): string[] => [
  `${report.file}: ${report.accepted} accepted, ${report.replaced} replaced, ${report.unchanged} unchanged, ${report.refusedCount} refused`,
  ...report.refused.map(({ line, code, message }) => `  line ${line}: ${code}: ${message}`),
  ...(report.isInterrupted ? ['  interrupted; run the same command again to resume'] : []),
]
