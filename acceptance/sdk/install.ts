import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Portico } from '../support/servers/portico.ts'
import { runtimePaths } from '../support/servers/runtimes.ts'
import { testTools } from '../support/servers/test-tools.ts'

const exec = promisify(execFile)
const buildStale = fileURLToPath(new URL('../../scripts/build-stale.ts', import.meta.url))

/** Where a server offers the package of the SDK. */
export const SDK_PATH = '/clients/portico-sdk.tgz'

/** Installs the SDK from a server into a folder, with the npm of a machine whose Node is 20, if the tests have one. */
export async function installSdk(
  { origin }: Pick<Portico, 'origin'>,
  folder: string,
  command = `npm install ${origin}${SDK_PATH}`,
): Promise<void> {
  // A server that runs from source offers what is packed in the clone.
  await exec(process.execPath, [buildStale])
  const node = testTools.runtimes.isThere() ? runtimePaths.node20 : process.execPath
  const [npm = '', ...args] = command.split(' ')
  await exec(npm, [...args, '--no-audit', '--no-fund'], {
    cwd: folder,
    env: { PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}`, HOME: folder, NO_PROXY: 'localhost' },
  })
}
