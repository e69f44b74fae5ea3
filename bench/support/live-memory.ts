import { setTimeout as delay } from 'node:timers/promises'
import { asArray, asObject, asString, parseJson } from '../../acceptance/support/json.ts'

const OPEN_MS = 100

/** Node starts its inspector on this port when the process receives SIGUSR1. */
export const toInspectorOption = (port: number): string => `--inspect-port=127.0.0.1:${port}`

/**
 * Memory that a process holds after garbage collection, in MB: its JavaScript heap and buffers. Resident memory varies
 * by much more than what a single feature takes, because it depends on when garbage was last collected.
 */
export async function readLiveMb(pid: number, inspectorPort: number): Promise<number> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await findTarget(inspectorPort))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let lastId = 0
  const call = async (method: string): Promise<Record<string, unknown>> => {
    lastId += 1
    const answer = new Promise<MessageEvent>((resolve) =>
      socket.addEventListener('message', resolve, { once: true }),
    )
    socket.send(JSON.stringify({ id: lastId, method }))
    return asObject(asObject(parseJson(asString((await answer).data)))['result'])
  }
  // Finalizers of the first round free what the second one collects.
  for (let round = 0; round < 2; round++) await call('HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize } = await call('Runtime.getHeapUsage')
  socket.close()
  return (Number(usedSize) + Number(backingStorageSize)) / 1e6
}

async function findTarget(port: number): Promise<string> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
    if (response) {
      const [target] = asArray(await response.json())
      return asString(asObject(target)['webSocketDebuggerUrl'])
    }
    await delay(OPEN_MS)
  }
}
