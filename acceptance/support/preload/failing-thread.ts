// Preloaded into every thread of the server. FAILING_THREAD_FILE contains the name of a thread and an action that is
// taken when that thread next reads the clock, which it does only while it works: `exit` ends the thread once, as a
// defect would, and `stall` keeps it busy until the file is removed.
import { readFileSync, rmSync } from 'node:fs'
import { threadName } from 'node:worker_threads'

const file = process.env['FAILING_THREAD_FILE'] ?? ''
const { now } = Date
const never = new Int32Array(new SharedArrayBuffer(4))
const STEP_MS = 10

if (threadName !== '')
  Date.now = () => {
    if (read() === `${threadName} exit`) {
      rmSync(file)
      process.exit(1)
    }
    while (read() === `${threadName} stall`) Atomics.wait(never, 0, 0, STEP_MS)
    return now()
  }

function read(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
