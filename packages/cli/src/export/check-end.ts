import { open } from 'node:fs/promises'
import type { ExportFormat } from '@portico/server/operator/export-choices'
import { OperatorError } from '@portico/server/operator/operator'

const TAIL_BYTES = 64

const ENDS: Record<ExportFormat, RegExp | undefined> = {
  ndjson: /\{"end":true,"records":\d+\}\n$/,
  parquet: /PAR1$/,
  // Only the transfer shows whether it is complete.
  csv: undefined,
}

/** Throws if a file lacks the end that its format has: a proxy may have ended a truncated response properly. */
export async function checkEnd(file: string, format: ExportFormat): Promise<void> {
  const end = ENDS[format]
  if (!end) return
  await using handle = await open(file)
  const { size } = await handle.stat()
  const start = Math.max(0, size - TAIL_BYTES)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start)
  if (!end.test(buffer.toString('latin1', 0, bytesRead)))
    throw new OperatorError('the export is truncated: its end is missing')
}
