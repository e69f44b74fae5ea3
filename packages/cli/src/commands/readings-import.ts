import { existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { OperatorError } from '@portico/server/operator/operator'
import type { ReadingsReport } from '@portico/wire/operator/readings'
import type { OperatorClient } from '../client/operator-client.ts'
import { type Command, stringValue, UsageError } from '../command.ts'
import { openCheckpoint } from '../import/checkpoint.ts'
import { createProgress } from '../import/progress.ts'
import { createRefusedFile } from '../import/refused-file.ts'
import { readSource } from '../import/source.ts'
import { formatCount } from '../output.ts'

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

interface Report extends ReadingsReport {
  file: string
  isInterrupted: boolean
  /** The file that lists every refused line; null if none was refused. */
  refusedFile: string | null
}

export const command: Command = {
  parameters: 'FILE…',
  positionals: { min: 1, max: 10_000 },
  options: { format: { type: 'string' } },
  help: {
    format: `ndjson, json or csv; by default derived from the file’s extension. Required for - (standard input).`,
  },
  choices: { format: Object.keys(NAMES) },
  async run({ config, connect, values, positionals, out }) {
    const format = stringValue(values, 'format')
    for (const file of positionals) resolveMediaType(file, format)
    const interruption = new AbortController()
    process.once('SIGINT', () => interruption.abort())
    const isInterrupted = (): boolean => interruption.signal.aborted
    await using operator = await connect()
    const reports: Report[] = []
    for (const file of positionals) {
      if (isInterrupted()) break
      reports.push(
        await importFile(operator, config.dataDir, file, resolveMediaType(file, format), isInterrupted),
      )
    }
    out.result({ files: reports }, reports.flatMap(describe))
    const isComplete = !isInterrupted() && reports.every(({ refusedCount }) => refusedCount === 0)
    return isComplete ? 0 : 1
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
  operator: OperatorClient,
  dataDir: string,
  file: string,
  type: string,
  isInterrupted: () => boolean,
): Promise<Report> {
  const checkpoint = file === '-' ? undefined : openCheckpoint(dataDir, file)
  const progress = createProgress(file, checkpoint?.bytes)
  const refusals = createRefusedFile(dataDir, file, checkpoint !== undefined && checkpoint.line > 0)
  let bytes = 0
  const source = readSource(
    file,
    (read) => {
      bytes = read
      progress(read)
    },
    isInterrupted,
  )
  const report = await operator.importReadings(type, source, {
    skipLines: checkpoint?.line ?? 0,
    onDurable: (line) => checkpoint?.save(line, bytes),
    onRefused: refusals.add,
  })
  const { accepted, replaced, unchanged, refusedCount } = report
  await operator.recordImport({
    file: file === '-' ? 'standard input' : basename(file),
    accepted,
    replaced,
    unchanged,
    refusedCount,
    ...(report.isInterrupted ? { isInterrupted: true } : {}),
  })
  if (!report.isInterrupted) checkpoint?.done()
  return { file, ...report, refusedFile: refusals.close() ?? null }
}

const MAX_SHOWN = 20

const describe = (report: Report): string[] => [
  `${report.file}: ${report.accepted} accepted, ${report.replaced} replaced, ${report.unchanged} unchanged, ${report.refusedCount} refused`,
  ...report.refused
    .slice(0, MAX_SHOWN)
    .map(({ line, code, message }) => `  line ${line}: ${code}: ${message}`),
  ...(report.refusedFile === null
    ? []
    : [
        report.refusedCount > MAX_SHOWN
          ? `  and ${formatCount(report.refusedCount - MAX_SHOWN, 'other')}; all are listed in ${report.refusedFile}`
          : `  listed in ${report.refusedFile}`,
      ]),
  ...(report.isInterrupted ? ['  interrupted; run the same command again to resume'] : []),
]
