import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connectAsync } from 'mqtt'
import { findFreePort } from './free-port.ts'

/** A Mosquitto that ends with the test. `node scripts/install-test-tools.ts` installs it. */
export async function startMosquitto(test: TestContext): Promise<string> {
  const port = await findFreePort()
  const child = spawn('/usr/sbin/mosquitto', ['-p', String(port)], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  test.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `mqtt://127.0.0.1:${port}`
  for (let isThere = false; !isThere; ) {
    if (child.exitCode !== null) throw new Error('mosquitto does not start')
    isThere = await connectAsync(url, { reconnectPeriod: 0 }, false).then(
      (client) => client.endAsync().then(() => true),
      () => delay(50, false),
    )
  }
  return url
}
