import type { MessagePort, Worker } from 'node:worker_threads'
import { ownsMemory } from './array-memory.ts'
import { unavailable } from './errors.ts'
import { createIpc, type IpcConnection, type Message, type MessageTransport } from './ipc.ts'
import { type HeapLimits, startThread } from './start-thread.ts'

/** A thread of this process that is called like another process. */
export interface CalledThread<Theirs> {
  /** Starts the thread if it is not running. */
  open(): ThreadSession<Theirs>
  /** Ends the thread, and calls in progress. No session is accepted afterwards. */
  close(): Promise<void>
}

/** The thread runs as long as a session is open. If it fails, all calls of its sessions fail. */
export interface ThreadSession<Theirs> {
  call: IpcConnection<Theirs>['call']
  close(): void
}

/** The calls that every such thread implements. */
export interface ThreadApi {
  /** Called before the thread is ended, while nothing uses it. */
  close(): Promise<void>
}

export interface ThreadOptions extends HeapLimits {
  /** For the log and errors, such as `compute`. */
  name: string
  program: URL
  data: unknown
  /** Calls that the thread may make. */
  ours: object
  onFailure(error: Error): void
}

/** A thread that nothing uses is ended after this time, and its memory is freed. */
const IDLE_MS = 300_000

interface RunningThread<Theirs> {
  worker: Worker
  link: IpcConnection<Theirs>
  sessions: number
  idle: NodeJS.Timeout | undefined
}

/** The thread is started by the first session, and again by the next one after it has failed. */
export function createCalledThread<Theirs extends ThreadApi>(options: ThreadOptions): CalledThread<Theirs> {
  const { name, program, data, ours, onFailure } = options
  let running: RunningThread<Theirs> | undefined
  let isClosed = false

  const start = (): RunningThread<Theirs> => {
    const worker = startThread(program, options, { name, workerData: data })
    const link = createIpc<Theirs>(overPort(worker), ours)
    const started: RunningThread<Theirs> = { worker, link, sessions: 0, idle: undefined }
    const end = (error: Error): void => {
      clearTimeout(started.idle)
      link.end(unavailable(`The ${name} thread has ended.`, error))
      if (running !== started) return
      running = undefined
      onFailure(error)
    }
    worker.once('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
    worker.once('exit', (code) => end(new Error(`The ${name} thread has exited with code ${code}.`)))
    // The server's sockets keep the process alive.
    worker.unref()
    return started
  }

  const stop = async (ending: RunningThread<Theirs>): Promise<void> => {
    running = undefined
    clearTimeout(ending.idle)
    // Nothing else may keep the process alive until the thread has closed its files.
    ending.worker.ref()
    const link: IpcConnection<ThreadApi> = ending.link
    await link.call('close').catch(() => {})
    await ending.worker.terminate()
  }

  return {
    open() {
      if (isClosed) throw unavailable('The server is stopping.')
      const used = (running ??= start())
      used.sessions += 1
      clearTimeout(used.idle)
      let isOpen = true
      return {
        call: used.link.call,
        close() {
          if (!isOpen) return
          isOpen = false
          used.sessions -= 1
          if (used.sessions === 0 && running === used)
            used.idle = setTimeout(() => void stop(used), IDLE_MS).unref()
        },
      }
    },
    async close() {
      isClosed = true
      if (running) await stop(running)
    },
  }
}

/** Calls over a port between threads. Byte arrays that own their buffer are transferred, not copied. */
export const overPort = (port: Pick<MessagePort, 'postMessage' | 'on'> | Worker): MessageTransport => ({
  send: (messages) => port.postMessage(messages, messages.flatMap(listMovable)),
  onMessage: (listener) => void port.on('message', listener),
})

function listMovable(message: Message): ArrayBuffer[] {
  const values = message.kind === 'call' ? message.values : message.kind === 'result' ? [message.value] : []
  return values.flatMap((value) => (value instanceof Uint8Array && ownsMemory(value) ? [value.buffer] : []))
}
