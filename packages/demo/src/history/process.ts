import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createIpc, type IpcConnection } from '@portico/server/kernel/ipc'
import type { HistoryApi, ServerApi } from './calls.ts'

// A clone runs the .ts files, an installed package the .js files.
const PROGRAM = fileURLToPath(new URL(`./program${extname(import.meta.url)}`, import.meta.url))

/** Runs a callback with a child process that then ends, so that the memory needed to generate readings is freed. */
export async function withHistoryProcess<T>(
  work: (history: IpcConnection<HistoryApi>) => Promise<T>,
  { progress = () => {}, stopping }: Partial<ServerApi> & { stopping?: AbortSignal } = {},
): Promise<T> {
  const child = fork(PROGRAM, {
    execArgv: [],
    serialization: 'advanced',
    // It can be killed at any time: readings that are not stored by then are stored after the next start.
    ...(stopping && { signal: stopping, killSignal: 'SIGKILL' }),
  })
  const link = createIpc<HistoryApi>(
    {
      send: (messages) => void child.send(messages, () => {}),
      onMessage: (listener) => void child.on('message', listener),
    },
    { progress } satisfies ServerApi,
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
