import { basename, extname } from 'node:path'
import { AppError } from '@portico/server/kernel/errors'
import type { ReadingsReport } from '@portico/wire/operator/readings'
import type { OperatorClient } from '../client/operator-client.ts'
import { type Command, type ProgressLine, stringValue, UsageError } from '../command.ts'
import { createInterruption, interruptedExitCode } from '../interruption.ts'
import { openCheckpoint } from '../import/checkpoint.ts'
import { createProgress } from '../import/progress.ts'
import { requireReadableFile } from '../import/readable-file.ts'
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
    const empty = new Set<Report>()
    for (const file of positionals) {
      if (interruption.aborted) break
      const type = resolveMediaType(file, format)
      const imported: ImportedFile = { file, type, interruption, line: out.progress }
      const { report, isEmpty } = await importFile(operator, config.dataDir, imported)
      reports.push(report)
      if (isEmpty) empty.add(report)
    }
    out.result(
      { files: reports },
      reports.flatMap((report) => [
        ...describe(report),
        ...(empty.has(report)
          ? [report.file === '-' ? '  standard input is empty' : '  the file is empty']
          : []),
      ]),
    )
    if (reports.length < positionals.length || reports.some(({ isInterrupted }) => isInterrupted))
      return interruptedExitCode(interruption)
    return reports.every(({ refusedCount }) => refusedCount === 0) ? 0 : 1
  },
}

function resolveMediaType(file: string, format: string | undefined): string {
  const type = format === undefined ? TYPES[extname(file).toLowerCase()] : NAMES[format]
  if (type === undefined)
    throw new UsageError(
      format === undefined
        ? `the format of ${file} is unknown; use --format ndjson, json or csv`
        : `--format must be one of ${Object.keys(NAMES).join(', ')}, not ${JSON.stringify(format)}`,
    )
  if (file !== '-') requireReadableFile(file)
  return type
}

interface ImportedFile {
  file: string
  type: string
  interruption: AbortSignal
  line: ProgressLine
}

/** Space, tab and line breaks. */
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d])

/** The checkpoint and the bar advance together, so that an interrupted import resumes where the bar was. */
async function importFile(
  operator: OperatorClient,
  dataDir: string,
  { file, type, interruption, line }: ImportedFile,
): Promise<{ report: Report; isEmpty: boolean }> {
  const checkpoint = file === '-' ? undefined : openCheckpoint(dataDir, file)
  const skipLines = checkpoint?.line ?? 0
  const refusals = createRefusedFile(dataDir, file, skipLines)
  const progress = createProgress(line, file, checkpoint?.bytes)
  let isComplete = false
  try {
    const read = { bytes: 0, isBlank: true }
    const source = readSource(
      file,
      (bytes, chunk) => {
        read.bytes = bytes
        read.isBlank &&= chunk.every((byte) => BLANKS.has(byte))
      },
      interruption,
    )
    const report = await operator.importReadings(type, source, {
      skipLines,
      onBatch(lineNumber) {
        const upTo = read.bytes
        return () => {
          // Nothing is stored while a resumed import skips lines.
          if (lineNumber <= skipLines) return
          // A resumed import does not validate these lines again.
          refusals.flush()
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
    return {
      report: { file, ...report, refusedFile: refusals.close() ?? null },
      isEmpty: read.isBlank && isComplete,
    }
  } catch (error) {
    throw nameFile(error, file)
  } finally {
    // Also if the import fails: the lines before the checkpoint are not read again.
    refusals.close()
    progress.end(isComplete)
  }
}

/** An error about the whole input is worded for a request of the API. */
function nameFile(error: unknown, file: string): unknown {
  if (!(error instanceof AppError && error.code === 'bad-request')) return error
  const name = file === '-' ? 'standard input' : file
  const isBody = error.message.startsWith(BODY)
  const message = isBody ? `${name}${error.message.slice(BODY.length)}` : `${name}: ${error.message}`
  return new AppError(error.code, message.replace(/\.$/, ''), { errors: error.errors, cause: error })
}

const BODY = 'The body'

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
