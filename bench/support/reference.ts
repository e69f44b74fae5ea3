import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './child.ts'
import { findFreePort } from '../../acceptance/support/servers/free-port.ts'

/** A reference server from `bench/contenders/references`. */
export interface Reference {
  url: string
  pid: number
  stop(): Promise<void>
}

const listens = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

export async function startReference(name: string, ...args: string[]): Promise<Reference> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const program = fileURLToPath(new URL(`../contenders/references/${name}.ts`, import.meta.url))
  const child = await startChild(process.execPath, [program, String(port), ...args], {
    logFile: join(folder, 'log'),
    isUp: () => listens(url),
  })
  return {
    url,
    pid: child.pid,
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A bare node:http server with a constant response. */
export async function startStaticServer(answer: {
  headers: Record<string, string>
  body: string
}): Promise<Reference> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  const file = join(folder, 'answer.json')
  writeFileSync(file, JSON.stringify(answer))
  try {
    return await startReference('static-response', file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
