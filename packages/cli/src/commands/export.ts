import {
  EXPORT_FORMAT_NAMES,
  EXPORT_INTERVALS,
  type ExportKind,
} from '@portico/server/operator/export-choices'
import { GROUPS } from '@portico/wire/v2/batch'
import type { ExportQuery, OperatorClient } from '../client/operator-client.ts'
import { requireSite } from '../client/require-site.ts'
import { type Command, type CommandContext, type Options, stringValue, UsageError } from '../command.ts'
import { type ExportFile, openExportFolder } from '../export/folder.ts'
import { listMonths, type MonthPart } from '../export/months.ts'
import { createExportProgress, formatSize } from '../export/progress.ts'
import { readChoice, readDate } from '../export/values.ts'
import { readUuid } from '../values.ts'

const OPTIONS: Options = {
  site: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  'metric-types': { type: 'string' },
}

const HELP = {
  site: 'The site’s UUID. Required.',
  from: 'First day, in the site’s time zone, such as 2026-01-01. Required.',
  to: 'Last day, inclusive. Required.',
  format: 'ndjson, csv or parquet (default).',
  out: 'Folder for the files DIR/site=…/month=….FORMAT. Required.',
  'metric-types': 'Up to 8 metrics, separated by commas; all if absent.',
}

export const readings: Command = {
  options: OPTIONS,
  help: HELP,
  choices: { format: EXPORT_FORMAT_NAMES },
  run: (call) => exportMonths(call, 'readings'),
}

export const windows: Command = {
  options: { ...OPTIONS, interval: { type: 'string' }, 'group-by': { type: 'string' } },
  help: {
    ...HELP,
    interval: 'PT15M, PT30M, PT1H (default), P1D, P1W or P1M.',
    'group-by': 'space (default), cluster, building or site.',
  },
  choices: { format: EXPORT_FORMAT_NAMES, interval: EXPORT_INTERVALS, 'group-by': GROUPS },
  run: (call) => exportMonths(call, 'windows'),
}

interface WrittenFile {
  file: string
  bytes: number
  /** Whether an earlier run had exported it. */
  isSkipped: boolean
}

async function exportMonths({ values, connect, out }: CommandContext, kind: ExportKind): Promise<number> {
  const require = (name: string): string => {
    const value = stringValue(values, name)
    if (value === undefined) throw new UsageError(`--${name} is required; see portico export ${kind} --help`)
    return value
  }
  const siteUuid = readUuid(require('site'), '--site')
  const from = readDate(values, 'from')
  const last = readDate(values, 'to')
  if (Temporal.PlainDate.compare(from, last) > 0) throw new UsageError('--from must not be after --to')
  const format = readChoice(values, 'format', EXPORT_FORMAT_NAMES) ?? 'parquet'
  const interval = readChoice(values, 'interval', EXPORT_INTERVALS)
  const groupBy = readChoice(values, 'group-by', GROUPS)
  const metricTypes = stringValue(values, 'metric-types')
  const folderName = require('out')
  await using operator = await connect()
  const months = listMonths(from, last, await findToday(operator, siteUuid))
  const folder = openExportFolder(folderName, siteUuid)
  const showProgress = createExportProgress(out.progress, months.length)
  const subject = {
    format,
    ...(metricTypes === undefined ? {} : { metricTypes }),
    ...(interval === undefined ? {} : { interval }),
    ...(groupBy === undefined ? {} : { groupBy }),
  }
  const written: WrittenFile[] = []
  try {
    for (const part of months) {
      const file = toFile(part, kind, subject)
      if (folder.has(file)) {
        written.push({ file: folder.path(file), bytes: 0, isSkipped: true })
        continue
      }
      const query: ExportQuery = {
        ...subject,
        fromDateTime: part.from.toString(),
        toDateTime: part.to.toString(),
      }
      const bytes = await folder.write(file, format, operator.exportRows(kind, siteUuid, query), (size) =>
        showProgress(part.month, size),
      )
      written.push({ file: folder.path(file), bytes, isSkipped: false })
    }
  } finally {
    out.progress.clear()
  }
  out.result(
    { files: written },
    written.map(
      ({ file, bytes, isSkipped }) => `${file}  ${isSkipped ? 'already exported' : formatSize(bytes)}`,
    ),
  )
  return 0
}

/** The days of a site are those of its time zone. */
async function findToday(operator: OperatorClient, siteUuid: string): Promise<Temporal.PlainDate> {
  const { timeZone } = await requireSite(operator, siteUuid)
  return Temporal.Now.plainDateISO(timeZone)
}

const toFile = (
  { month, from, to, isOver }: MonthPart,
  kind: ExportKind,
  subject: Readonly<Record<string, string>>,
): ExportFile => ({
  name: `month=${month}.${subject['format']}`,
  request: { kind, ...subject, from: from.toString(), to: to.toString() },
  isFinal: isOver,
})
