import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../../kernel/thread-priority.ts'
import { createRowEncoder } from './encoder.ts'
import type { ExportOptions, RowBatch } from './format.ts'

/**
 * Program of a thread that encodes one export: it replies to each batch of rows, and to null at the end, with bytes.
 */
lowerThreadPriority()
const encoder = await createRowEncoder(workerData as ExportOptions)

parentPort?.on('message', (batch: RowBatch | null) => {
  const bytes = batch ? encoder.add(batch) : encoder.end()
  parentPort?.postMessage(bytes, [bytes.buffer])
})
