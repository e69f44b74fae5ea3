import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

export interface HeapLimits {
  /** Beyond this, the thread fails instead of the process. */
  maxHeapMb?: number
  maxYoungGenerationMb: number
}

/** Starts a thread with a heap of its own, within limits. */
export function startThread(
  program: URL,
  { maxHeapMb, maxYoungGenerationMb }: HeapLimits,
  options: Omit<WorkerOptions, 'resourceLimits'>,
): Worker {
  // The server is started with this flag, which V8 prefers to the limit of a thread. The heap of the main thread keeps
  // the size that it was created with.
  setFlagsFromString('--max-semi-space-size=0')
  return new Worker(program, {
    ...options,
    resourceLimits: {
      maxYoungGenerationSizeMb: maxYoungGenerationMb,
      ...(maxHeapMb === undefined ? {} : { maxOldGenerationSizeMb: maxHeapMb }),
    },
  })
}
