// Preloaded into every thread of the server: the thread whose name is in FAILING_THREAD_FILE ends, as after a defect,
// when it next looks at the clock, once. The threads look at the clock only while they work.
import { readFileSync, rmSync } from 'node:fs'
import { threadName } from 'node:worker_threads'

const file = process.env['FAILING_THREAD_FILE'] ?? ''
const { now } = Date

if (threadName !== '')
  Date.now = () => {
    if (readName() === threadName) {
      rmSync(file)
      process.exit(1)
    }
    return now()
  }

function readName(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
