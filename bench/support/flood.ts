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
 * Sends requests at an even rate from a thread of its own, and returns how many a second were answered. autocannon's rates are not
 * even: each of its connections sends the requests of a second as fast as it can, and then pauses.
 */
export async function flood(options: Flood): Promise<number> {
  const worker = new Worker(new URL('flood-thread.ts', import.meta.url), { workerData: options })
  const [perSecond] = (await once(worker, 'message')) as [number]
  return perSecond
}
