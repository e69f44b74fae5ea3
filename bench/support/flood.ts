import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { HttpRequest } from './saturate.ts'

export interface Flood {
  url: string
  requests: readonly HttpRequest[]
  perSecond: number
  seconds: number
  connections: number
}

/**
 * Sends requests at an even rate from a separate thread, and returns how many were answered per second. autocannon's
 * rates are uneven: each of its connections sends a second's requests as fast as it can, then pauses.
 */
export async function flood(options: Flood): Promise<number> {
  const worker = new Worker(new URL('flood-thread.ts', import.meta.url), { workerData: options })
  const [perSecond] = (await once(worker, 'message')) as [number]
  return perSecond
}
