import assert from 'node:assert/strict'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

const PROGRAM = `
  const { readlinkSync } = await import('node:fs')
  const { getPriority } = await import('node:os')
  const { basename } = await import('node:path')
  const { parentPort, workerData } = await import('node:worker_threads')
  const { lowerThreadPriority } = await import(workerData)
  lowerThreadPriority()
  parentPort.postMessage(getPriority(Number(basename(readlinkSync('/proc/thread-self')))))
`

test('a thread lowers its own priority only', { skip: process.platform !== 'linux' }, async () => {
  const before = getPriority()
  const module = new URL('../../../src/kernel/thread-priority.ts', import.meta.url).href
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`), {
    workerData: module,
  })
  const [niceness] = (await once(worker, 'message')) as [number]
  assert.ok(niceness > before, `${niceness} in the thread`)
  assert.equal(getPriority(), before)
})
