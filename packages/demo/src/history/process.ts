import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createIpc, type IpcConnection } from '@portico/server/kernel/ipc'
import type { HistoryApi, ServerApi } from './calls.ts'

// A clone runs the .ts files, an installed package the .js ones.
const PROGRAM = fileURLToPath(new URL(`./program${extname(import.meta.url)}`, import.meta.url))

const noWriter = (): Promise<never> => Promise.reject(new Error('This call does not write.'))

/** Has a process of its own do it, which ends after it: the memory that making readings takes goes with it. */
export async function withHistoryProcess<T>(
  work: (history: IpcConnection<HistoryApi>) => Promise<T>,
  { progress = () => {}, stopping, write = noWriter }: Partial<ServerApi> & { stopping?: AbortSignal } = {},
): Promise<T> {
  const child = fork(PROGRAM, {
    execArgv: [],
    serialization: 'advanced',
    // Whatever it is at: what it has not stored then is stored after the next start.
    ...(stopping && { signal: stopping, killSignal: 'SIGKILL' }),
  })
  const link = createIpc<HistoryApi>(
    {
      send: (messages) => void child.send(messages, () => {}),
      onMessage: (listener) => void child.on('message', listener),
    },
    { progress, write } satisfies ServerApi,
  )
  const ended = once(child, 'exit')
    .catch((error: unknown) => error)
    .then((cause) => link.end(new Error('The process that makes the demo’s readings has ended.', { cause })))
  try {
    return await work(link)
  } finally {
    if (child.connected) child.disconnect()
    await ended
  }
}
