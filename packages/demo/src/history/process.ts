import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createIpc, type IpcConnection } from '@portico/server/kernel/ipc'
import type { HistoryApi, ServerApi } from './calls.ts'

// A clone runs the .ts files, an installed package the .js files.
const PROGRAM = fileURLToPath(new URL(`./program${extname(import.meta.url)}`, import.meta.url))

/** The process lives for seconds: it takes more memory, and collects garbage less often. */
export const HISTORY_FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=32']

/** A child process that generates readings. It ends after use, so that its memory is freed. */
export class HistoryProcess {
  readonly #child: ChildProcess
  readonly #link: IpcConnection<HistoryApi>
  readonly #ended: Promise<void>
  #progress: ServerApi['progress'] = () => {}

  /** `modelsTo` lets the process build the models of the sites up to that instant before it is used. */
  constructor({ modelsTo }: { modelsTo?: number } = {}) {
    // As an argument and not as a call, which the server would send only when it has loaded.
    const args = modelsTo === undefined ? [] : [String(modelsTo)]
    const child = fork(PROGRAM, args, { execArgv: HISTORY_FLAGS, serialization: 'advanced' })
    this.#child = child
    // A server that fails before it uses the process ends without waiting for it.
    child.unref()
    child.channel?.unref()
    this.#link = createIpc<HistoryApi>(
      {
        send: (messages) => void child.send(messages, () => {}),
        onMessage: (listener) => void child.on('message', listener),
      },
      { progress: (...done) => this.#progress(...done) } satisfies ServerApi,
    )
    this.#ended = once(child, 'exit')
      .catch((error: unknown) => error)
      .then((cause) =>
        this.#link.end(new Error('The process that generates the demo’s readings has ended.', { cause })),
      )
  }

  /** Runs a callback that calls the process, which then ends. */
  async use<T>(
    work: (history: IpcConnection<HistoryApi>) => Promise<T>,
    { progress, stopping }: Partial<ServerApi> & { stopping?: AbortSignal } = {},
  ): Promise<T> {
    this.#child.ref()
    this.#child.channel?.ref()
    if (progress) this.#progress = progress
    // It can be killed at any time: readings that are not stored by then are stored after the next start.
    const kill = (): void => void this.#child.kill('SIGKILL')
    if (stopping?.aborted) kill()
    stopping?.addEventListener('abort', kill, { once: true })
    try {
      return await work(this.#link)
    } finally {
      stopping?.removeEventListener('abort', kill)
      await this.end()
    }
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#ended
  }
}
