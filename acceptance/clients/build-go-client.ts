import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { debianGoPath } from '../support/servers/test-tools.ts'

/** Compiles a Go program against the library sources of the system's packages; returns the path of the binary. */
export async function buildGoClient(source: string, folder: string): Promise<string> {
  const program = join(folder, 'go-client')
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOFLAGS: '',
    GOPATH: debianGoPath,
    GOCACHE: join(folder, 'go-cache'),
  }
  await promisify(execFile)('go', ['build', '-o', program, source], { env })
  return program
}
