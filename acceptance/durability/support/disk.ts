import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingText, testTools } from '../../support/servers/test-tools.ts'

const source = fileURLToPath(new URL('disk.c', import.meta.url))

/** What stands between a server and its disk. */
export interface Disk {
  /** The environment of a server or a command whose folder is watched. */
  watching(folder: string): Record<string, string>
  /** Where the changes are written down. */
  log: string
  /** While this file exists the disk is full. */
  fullFlag: string
  remove(): Promise<void>
}

/** Compiles disk.c; a machine without a C compiler fails with what to install. */
export async function makeDisk(): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-acceptance-disk-'))
  const library = join(folder, 'disk.so')
  const flags = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-Werror']
  const built = spawnSync('cc', [...flags, '-o', library, source, '-ldl', '-lpthread'], { encoding: 'utf8' })
  if (built.status !== 0) {
    throw new Error(built.error ? missingText(testTools.compiler) : built.stderr)
  }
  const log = join(folder, 'log')
  const fullFlag = join(folder, 'full')
  return {
    log,
    fullFlag,
    watching: (watched) => ({
      LD_PRELOAD: library,
      DISK_FOLDER: watched,
      DISK_LOG: log,
      DISK_FULL_FLAG: fullFlag,
    }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
