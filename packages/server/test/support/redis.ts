import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'
import { stopChild, untilListening } from '../../../../acceptance/support/servers/child.ts'
import { findFreePort } from '../../../../acceptance/support/servers/free-port.ts'

/** A Redis that ends with the test. `node scripts/install-test-tools.ts` installs it. */
export async function startRedis(test: TestContext): Promise<string> {
  const port = await findFreePort()
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', flags, { stdio: 'ignore' })
  test.after(() => stopChild(child, 'SIGKILL'))
  await untilListening(port, child)
  return `redis://127.0.0.1:${port}`
}
