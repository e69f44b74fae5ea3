import { parentPort, workerData } from 'node:worker_threads'
import { atFixedRate, createCaller, quantile } from './load.ts'
import type { ReaderOptions } from './steady-reader.ts'

const { url, token, siteUuid, perSecond } = workerData as ReaderOptions
const caller = createCaller(url, token, siteUuid)

parentPort?.on('message', (paths: readonly string[]) => void measure(paths))

async function measure(paths: readonly string[]): Promise<void> {
  const took: number[] = []
  await atFixedRate(perSecond, paths.length, async (index, dueAt) => {
    const { at } = await caller.call('GET', paths[index] ?? '', 200)
    took.push(at - dueAt)
  })
  parentPort?.postMessage(quantile(took, 0.99))
}
