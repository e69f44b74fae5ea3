import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from './child.ts'

const PROGRAM = fileURLToPath(new URL('drain-process.ts', import.meta.url))

/**
 * Reads a response in a separate process, which does not delay the requests that are measured, until it is stopped.
 * Resolves with the first bytes.
 */
export async function startDrain(url: string, token: string, siteUuid: string): Promise<Pick<Child, 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  const logFile = join(folder, 'log')
  const child = await startChild(process.execPath, [PROGRAM, url, token, siteUuid], {
    logFile,
    isUp: async () => existsSync(logFile) && readFileSync(logFile, 'utf8').includes('reading'),
  })
  return {
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
