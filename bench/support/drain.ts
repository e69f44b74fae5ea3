import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './child.ts'
import { withTempFolder } from './temp-folder.ts'

const PROGRAM = fileURLToPath(new URL('drain-process.ts', import.meta.url))

/** Runs work while a separate process, which does not delay requests of this one, reads a response and discards it. */
export const whileDraining = <T>(
  { url, token, siteUuid }: { url: string; token: string; siteUuid: string },
  work: () => Promise<T>,
): Promise<T> =>
  withTempFolder(async (folder) => {
    const logFile = join(folder, 'log')
    const child = await startChild(process.execPath, [PROGRAM, url, token, siteUuid], {
      logFile,
      isUp: async () => readFileSync(logFile, 'utf8').includes('reading'),
    })
    try {
      return await work()
    } finally {
      await child.stop()
    }
  })
