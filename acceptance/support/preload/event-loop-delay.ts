// Preloaded into the server, this measures how long the event loop is blocked: processor time of the main thread
// between two ticks of a timer, which excludes time in which other processes were running. SIGUSR2 writes the longest
// delay since the previous signal to LOOP_DELAY_FILE, in milliseconds.
import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 5
const file = process.env['LOOP_DELAY_FILE']

if (isMainThread && file !== undefined) {
  const processorMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let last = processorMs()
  let longest = 0
  setInterval(() => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
  }, TICK_MS).unref()
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.part`, String(longest))
    renameSync(`${file}.part`, file)
    last = processorMs()
    longest = 0
  })
}
