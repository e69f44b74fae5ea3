import { existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { OperatorError } from '@portico/server/operator/operator'
import type { ReadingsReport } from '@portico/wire/operator/readings'
import type { OperatorClient } from '../client/operator-client.ts'
import { type Command, type ProgressLine, stringValue, UsageError } from '../command.ts'
import { createInterruption, interruptedExitCode } from '../interruption.ts'
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
    const interruption = createInterruption()
    await using operator = await connect()
    const reports: Report[] = []
    for (const file of positionals) {
      if (interruption.aborted) break
      const type = resolveMediaType(file, format)
      reports.push(
        await importFile(operator, config.dataDir, { file, type, interruption, line: out.progress }),
      )
    }
    out.result({ files: reports }, reports.flatMap(describe))
    if (reports.length < positionals.length || reports.some(({ isInterrupted }) => isInterrupted))
      return interruptedExitCode(interruption)
    return reports.every(({ refusedCount }) => refusedCount === 0) ? 0 : 1
  },
}

function resolveMediaType(file: string, format: string | undefined): string {
  const type = format === undefined ? TYPES[extname(file).toLowerCase()] : NAMES[format]
  if (type === undefined)
    throw new UsageError(`the format of ${file} is unknown; use --format ndjson, json or csv`)
  if (file !== '-' && !existsSync(file)) throw new OperatorError(`${file} does not exist`)
  return type
}

interface ImportedFile {
  file: string
  type: string
  interruption: AbortSignal
  line: ProgressLine
}

/** The checkpoint and the bar advance together, so that an interrupted import resumes where the bar was. */
async function importFile(
  operator: OperatorClient,
  dataDir: string,
  { file, type, interruption, line }: ImportedFile,
): Promise<Report> {
  const checkpoint = file === '-' ? undefined : openCheckpoint(dataDir, file)
  const skipLines = checkpoint?.line ?? 0
  const refusals = createRefusedFile(dataDir, file, skipLines > 0)
  const progress = createProgress(line, file, checkpoint?.bytes)
  let isComplete = false
  try {
    let bytes = 0
    const source = readSource(
      file,
      (read) => {
        bytes = read
      },
      interruption,
    )
    const report = await operator.importReadings(type, source, {
      skipLines,
      onBatch(lineNumber) {
        const upTo = bytes
        return () => {
          // Nothing is stored while a resumed import skips lines.
          if (lineNumber <= skipLines) return
          checkpoint?.save(lineNumber, upTo)
          progress.show(upTo)
        }
      },
      onRefused: refusals.add,
    })
    const { accepted, replaced, unchanged, refusedCount, isInterrupted } = report
    await operator.recordImport({
      file: file === '-' ? 'standard input' : basename(file),
      accepted,
      replaced,
      unchanged,
      refusedCount,
      ...(isInterrupted ? { isInterrupted } : {}),
    })
    if (!isInterrupted) checkpoint?.done()
    isComplete = !isInterrupted
    return { file, ...report, refusedFile: refusals.close() ?? null }
  } finally {
    // Also if the import fails: the lines before the checkpoint are not read again.
    refusals.close()
    progress.end(isComplete)
  }
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
  ...(report.isInterrupted
    ? [report.file === '-' ? '  interrupted' : '  interrupted; run the same command again to continue']
    : []),
]
