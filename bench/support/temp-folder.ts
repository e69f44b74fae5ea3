import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs work with a folder of its own, which is gone afterwards. */
export async function withTempFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
