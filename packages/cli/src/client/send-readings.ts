import { createExportCheck, readLines, stripExportMark } from '@portico/server/operator/operator'
import type { ReadingsReport } from '@portico/wire/operator/readings'
import { Interrupted } from '../import/source.ts'
import type { ImportOptions } from './operator-client.ts'

/**
 * Lines of one request. The server lists up to 1,000 rejected records, so every rejected line is known; and an
 * interrupted import resumes after the last request that was answered.
 */
const LINES_PER_REQUEST = 1_000

type Post = (mediaType: string, body: string | Uint8Array) => Promise<ReadingsReport>

type Result = ReadingsReport & { isInterrupted: boolean }

/** Sends the lines of a file in several requests; a JSON array, which cannot be divided by line, in one. */
export async function sendReadings(
  mediaType: string,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
  post: Post,
): Promise<Result> {
  const result: Result = {
    accepted: 0,
    replaced: 0,
    unchanged: 0,
    refused: [],
    refusedCount: 0,
    isInterrupted: false,
  }
  const refuse = (refusal: ReadingsReport['refused'][number]): void => {
    options.onRefused(refusal)
    if (result.refused.length < LINES_PER_REQUEST) result.refused.push(refusal)
  }
  const add = (report: ReadingsReport, toLine: (line: number) => number): void => {
    result.accepted += report.accepted
    result.replaced += report.replaced
    result.unchanged += report.unchanged
    result.refusedCount += report.refusedCount
    for (const refusal of report.refused) refuse({ ...refusal, line: toLine(refusal.line) })
  }
  try {
    if (mediaType === 'application/json') add(await post(mediaType, await readAll(source)), (line) => line)
    else await sendLines()
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    result.isInterrupted = true
  }
  return result

  async function sendLines(): Promise<void> {
    const hasHeader = mediaType === 'text/csv'
    let header: string | undefined
    let pending: { number: number; text: string }[] = []
    const flush = async (): Promise<void> => {
      const sent = pending
      const last = sent.at(-1)
      pending = []
      // A file without records is still sent, so that the server checks its header.
      if (!last && (header === undefined || options.skipLines > 0)) return
      const lines = [...(hasHeader && header !== undefined ? [header] : []), ...sent.map(({ text }) => text)]
      const offset = lines.length - sent.length + 1
      const onDurable = last && options.onBatch(last.number)
      const report = await post(mediaType, `${lines.join('\n')}\n`)
      add(report, (line) => sent[line - offset]?.number ?? line)
      onDurable?.()
    }
    // The requests are parts of the file, so only the client knows where the file ends.
    const exports = mediaType === 'application/x-ndjson' ? createExportCheck() : undefined
    const refuseWhole = (line: number, problem: { code: string; message: string } | undefined): void => {
      if (!problem) return
      result.refusedCount += 1
      refuse({ line, ...problem })
    }
    let isAnySent = false
    let lastLine = 0
    for await (const lines of readLines(source)) {
      for (const { number, text } of lines) {
        if (text !== undefined && text.trim() === '') continue
        if (hasHeader && header === undefined && text !== undefined) {
          header = text
          continue
        }
        lastLine = number
        const { isEnd, rejection } = exports?.check(text) ?? { isEnd: false }
        if (number <= options.skipLines) continue
        refuseWhole(number, rejection)
        if (isEnd) continue
        if (text === undefined) {
          refuseWhole(number, { code: 'too-long', message: 'The line is longer than 64 KiB.' })
          continue
        }
        pending.push({ number, text: exports ? stripExportMark(text) : text })
        if (pending.length < LINES_PER_REQUEST) continue
        isAnySent = true
        await flush()
      }
    }
    if (pending.length > 0 || !isAnySent) await flush()
    refuseWhole(lastLine + 1, exports?.finish())
  }
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}
