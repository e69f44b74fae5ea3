import { Worker } from 'node:worker_threads'
import type { Portico } from '../servers/portico.ts'
import { readSchedstat } from './schedstat.ts'

const TICK_MS = 20
const LATE_MS = 50

/** Total time, in milliseconds, by which a thread that does nothing but sleep woke up late. */
const late = new Float64Array(new SharedArrayBuffer(8))
const sleeper = `
  const late = require('node:worker_threads').workerData
  const cell = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    const before = performance.now()
    Atomics.wait(cell, 0, 0, ${TICK_MS})
    const lateMs = performance.now() - before - ${TICK_MS}
    if (lateMs > ${LATE_MS}) late[0] += lateMs
  }`
new Worker(sleeper, { eval: true, workerData: late }).unref()

/**
 * Time that a server and this process were ready to run without a processor, and time in which the whole machine
 * stalled. On a busy machine this can be seconds that the server is not responsible for: a measurement of elapsed time
 * subtracts the difference of two results.
 */
export function waitedForMachineMs({ pid }: Pick<Portico, 'pid'>): number {
  return readSchedstat(pid).waitedMs + readSchedstat(process.pid).waitedMs + (late[0] ?? Number.NaN)
}
