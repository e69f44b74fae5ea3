import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a thread of a server end, or stall until `recover`, at the next work that it gets. */
export interface FailingThread {
  /** Environment of the server. */
  env: Record<string, string>
  disturb(how: 'exit' | 'stall'): void
  recover(): void
  /** Whether the thread has not ended yet, or is stalled. */
  isPending(): boolean
}

export function createFailingThread(name: 'compute' | 'ingest'): FailingThread {
  const file = join(mkdtempSync(join(tmpdir(), 'portico-threads-')), 'failing')
  return {
    env: {
      FAILING_THREAD_FILE: file,
      NODE_OPTIONS: `--import=${import.meta.resolve('../preload/failing-thread.ts')}`,
    },
    disturb: (how) => writeFileSync(file, `${name} ${how}`),
    recover: () => rmSync(file, { force: true }),
    isPending: () => existsSync(file),
  }
}
