import { Call } from './call.ts'
import { ConflictError } from './errors.ts'
import type { List } from './list.ts'
import type { Answer, CallOptions } from './send.ts'
import { SiteCalls } from './site-calls.ts'
import type { Command, ListCommandsQuery } from './types.ts'

/** A command, or the identifiers of one. */
export type CommandReference = Pick<Command, 'commandUuid' | 'deviceUuid'>

export interface WaitOptions extends CallOptions {
  /** How long to wait for the end of the command, 60,000 by default. */
  timeoutMs?: number | undefined
}

const DEFAULT_WAIT_MS = 60_000

export class Commands extends SiteCalls {
  /** The commands of a device, newest first. */
  list(deviceUuid: string, query: ListCommandsQuery = {}, options?: CallOptions): List<Command> {
    return this.readList(`/devices/${encodeURIComponent(deviceUuid)}/commands`, query, options)
  }

  get(command: CommandReference, options?: CallOptions): Call<Command> {
    return new Call(this.#request('GET', command, options))
  }

  /** Cancels a command; a `ConflictError` if it has ended. */
  cancel(command: CommandReference, options?: CallOptions): Call<Command> {
    return new Call(this.#cancel(command, options))
  }

  /**
   * Resolves when the command is CONFIRMED. Rejects with a `CommandFailedError` if it ends otherwise, and with a
   * `WaitTimeoutError` if it has not ended in time.
   */
  wait(command: CommandReference, options: WaitOptions = {}): Call<Command> {
    const { timeoutMs = DEFAULT_WAIT_MS, ...rest } = options
    return new Call(
      this.send.sequence(rest, async (each) => {
        const { waitForCommand } = await import('./long-poll.ts')
        return waitForCommand((request) => this.#request('GET', command, request), timeoutMs, each)
      }),
    )
  }

  async #cancel(command: CommandReference, options: CallOptions | undefined): Promise<Answer<Command>> {
    try {
      return await this.#request('DELETE', command, options)
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      // The first try may have cancelled it although its response was lost.
      const answer = await this.#request('GET', command, options)
      if (answer.data.state === 'CANCELLED' && answer.data.failureReason?.code === 'REQUESTED') return answer
      throw error
    }
  }

  #request(
    method: string,
    { deviceUuid, commandUuid }: CommandReference,
    options: CallOptions | undefined,
  ): Promise<Answer<Command>> {
    const path = `/devices/${encodeURIComponent(deviceUuid)}/commands/${encodeURIComponent(commandUuid)}`
    return this.send<Command>({ method, path, siteId: this.siteUuid }, options)
  }
}
