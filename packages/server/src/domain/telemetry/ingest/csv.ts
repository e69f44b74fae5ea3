import { AppError } from '../../../kernel/errors.ts'
import { at } from '../../../kernel/at.ts'
import type { ReadingImport, Later } from './reading-import.ts'
import { isRejection } from './validate.ts'
import { readLines } from './lines.ts'
import { toNumber } from './number.ts'

const COLUMNS = ['deviceUuid', 'metricType', 'timestamp', 'value']
const HALF_HOUR_MS = 1_800_000
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** The cells of a line. No value of a reading contains a comma or a quote. */
function splitCells(text: string): string[] {
  if (NEEDS_CARE.test(text)) return text.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
  const cells: string[] = []
  let start = 0
  for (let comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', start)) {
    cells.push(text.slice(start, comma))
    start = comma + 1
  }
  cells.push(text.slice(start))
  return cells
}

const NEEDS_CARE = /[\s"]/

type TakeRow = (line: number, cells: string[]) => Later

/** CSV with a header line: one reading per line, or a day of half-hourly deltas per line (`hh01,…,hh50`). */
export async function importCsv(source: AsyncIterable<Uint8Array>, intake: ReadingImport): Promise<void> {
  let takeRow: TakeRow | undefined
  for await (const lines of readLines(source)) {
    for (const { number, text } of lines) {
      if (text === undefined)
        intake.reject(number, { code: 'too-long', message: 'The line is longer than 64 KiB.' })
      else if (text.trim() !== '') {
        const later = takeRow?.(number, splitCells(text))
        if (later) await later
        takeRow ??= rowsFor(splitCells(text.replace(/^\uFEFF/, '')), intake)
      }
    }
  }
}

function rowsFor(header: string[], intake: ReadingImport): TakeRow {
  if (header.length === COLUMNS.length && COLUMNS.every((name) => header.includes(name)))
    return longRows(header, intake)
  const slots = header.slice(3)
  const isWide =
    header.slice(0, 3).join() === 'deviceUuid,metricType,date' &&
    slots.length === 50 &&
    slots.every((name, index) => name === `hh${String(index + 1).padStart(2, '0')}`)
  if (isWide) return wideRows(intake)
  throw new AppError(
    'bad-request',
    `The first line must be ${COLUMNS.join(',')} or deviceUuid,metricType,date,hh01,…,hh50.`,
  )
}

function longRows(header: string[], intake: ReadingImport): TakeRow {
  const device = header.indexOf('deviceUuid')
  const metric = header.indexOf('metricType')
  const timestamp = header.indexOf('timestamp')
  const value = header.indexOf('value')
  return (line, cells) => {
    if (cells.length !== COLUMNS.length) {
      return intake.reject(line, {
        code: 'malformed',
        message: `The line has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} instead of ${COLUMNS.length}.`,
      })
    }
    return intake.add(line, cells[device], cells[metric], cells[timestamp], toNumber(at(cells, value)))
  }
}

/** The UK's half-hourly format: a local day has 48 slots, or 46 or 50 when the clocks change. */
function wideRows(intake: ReadingImport): TakeRow {
  return async (line, [deviceUuid, metricType, date = '', ...cells]) => {
    const target = await intake.find(deviceUuid, metricType)
    if (isRejection(target)) return intake.reject(line, target)
    if (target.spec.kind !== 'delta') {
      return intake.reject(line, {
        code: 'not-a-delta',
        message: 'Half-hourly values are deltas; this metric is not.',
      })
    }
    const day = parseDate(date)
    if (!day)
      return intake.reject(line, {
        code: 'bad-timestamp',
        message: 'The date is not one such as 2026-11-14.',
      })
    const { zone } = target.model
    const start = zone.startOfDay(day)
    const slots = Math.round((zone.startOfDay(day.add({ days: 1 })) - start) / HALF_HOUR_MS)
    const filled = cells.findLastIndex((cell) => cell !== '') + 1
    if (filled !== slots) {
      return intake.reject(line, {
        code: 'wrong-slots',
        message: `That day has ${slots} half hours; ${filled} are filled.`,
      })
    }
    const first = target.spec.stamp === 'end' ? start + HALF_HOUR_MS : start
    for (const [slot, cell] of cells.slice(0, slots).entries()) {
      await intake.addResolved(line, target, first + slot * HALF_HOUR_MS, toNumber(cell))
    }
  }
}

function parseDate(text: string): Temporal.PlainDate | undefined {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined) return undefined
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    )
  } catch {
    return undefined
  }
}
