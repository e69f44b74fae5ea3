import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'
import { stopChild, untilListening } from '../../../../acceptance/support/servers/child.ts'
import { findFreePort } from '../../../../acceptance/support/servers/free-port.ts'

/** A Mosquitto that ends with the test. `node scripts/install-test-tools.ts` installs it. */
export async function startMosquitto(test: TestContext): Promise<string> {
  const port = await findFreePort()
  const child = spawn('/usr/sbin/mosquitto', ['-p', String(port)], { stdio: 'ignore' })
  test.after(() => stopChild(child, 'SIGKILL'))
  await untilListening(port, child)
  return `mqtt://127.0.0.1:${port}`
}
