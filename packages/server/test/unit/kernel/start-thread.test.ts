import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { startThread } from '../../../src/kernel/start-thread.ts'

/** Fills its young generation, and reports the largest size that it had. */
const PROGRAM = `
import { getHeapSpaceStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
let live = []
for (let count = 0; count < 3e6; count += 1) {
  live.push({ count })
  if (live.length > 20000) live = []
}
parentPort.postMessage(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size)
`

test('the young generation of a thread has its own limit, although the server is started with another', async () => {
  setFlagsFromString('--max-semi-space-size=8')
  const program = new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`)
  const worker = startThread(program, { maxHeapMb: 64, maxYoungGenerationMb: 3 }, {})
  const [bytes] = (await once(worker, 'message')) as [number]
  assert.ok(bytes <= 3 * 1024 * 1024, `${bytes} bytes`)
  await worker.terminate()
})
