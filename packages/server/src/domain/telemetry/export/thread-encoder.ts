import { extname } from 'node:path'
import { startThread } from '../../../kernel/start-thread.ts'
import type { ExportOptions, RowBatch } from './format.ts'

/** An encoder in a separate thread: a row group of Parquet takes a tenth of a second, which would delay requests. */
export interface ThreadEncoder {
  /** Takes over the memory of the batch. */
  add(batch: RowBatch): Promise<Uint8Array>
  end(): Promise<Uint8Array>
  close(): void
}

// A clone runs the .ts files, an installed package the .js files.
const THREAD = new URL(`./encoder-thread${extname(import.meta.url)}`, import.meta.url)

/** A thread needs a few megabytes. If a defect makes it use more, the thread ends instead of the process. */
const MAX_HEAP_MB = 128
const YOUNG_GENERATION_MB = 4

export function startThreadEncoder(options: ExportOptions): ThreadEncoder {
  const limits = { maxHeapMb: MAX_HEAP_MB, maxYoungGenerationMb: YOUNG_GENERATION_MB }
  const worker = startThread(THREAD, limits, { workerData: options, execArgv: [] })
  const waiting: PromiseWithResolvers<Uint8Array>[] = []
  let failure: Error | undefined

  const fail = (error: Error): void => {
    failure ??= error
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  worker.on('message', (bytes: Uint8Array) => waiting.shift()?.resolve(bytes))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The encoder of an export has ended.')))

  const send = (message: RowBatch | null, memory: ArrayBuffer[]): Promise<Uint8Array> => {
    if (failure) return Promise.reject(failure)
    const answer = Promise.withResolvers<Uint8Array>()
    waiting.push(answer)
    worker.postMessage(message, memory)
    return answer.promise
  }

  return {
    add: (batch) => send(batch, [batch.timestamps.buffer, ...batch.columns.map((column) => column.buffer)]),
    end: () => send(null, []),
    close: () => void worker.terminate(),
  }
}
