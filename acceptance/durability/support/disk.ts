import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingText, testTools } from '../../support/servers/test-tools.ts'

const source = fileURLToPath(new URL('disk.c', import.meta.url))

/** The disk.c library for one server. */
export interface Disk {
  /** Environment of a server or command whose folder is observed. */
  watching(folder: string): Record<string, string>
  /** The log of all changes. */
  log: string
  /** The disk is full while this file exists. */
  fullFlag: string
  remove(): Promise<void>
}

/** Compiles disk.c; fails with the package to install if there is no C compiler. */
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
