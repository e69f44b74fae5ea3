import { Call } from './call.ts'
import { CommandFailedError, ConflictError, WaitTimeoutError } from './errors.ts'
import { List } from './list.ts'
import type { Answer, CallOptions, Send } from './send.ts'
import { delay, now } from './timing.ts'
import type { Command, ListCommandsQuery } from './types.ts'

/** A command, or what identifies it. */
export type CommandReference = Pick<Command, 'commandUuid' | 'deviceUuid'>

export interface WaitOptions extends CallOptions {
  /** How long to wait for the end of the command, 60,000 by default. */
  timeoutMs?: number | undefined
}

const DEFAULT_WAIT_MS = 60_000
/** Time that the server is asked to wait; at most 30 s. */
const LONG_POLL_S = 25
/** Beyond the time of a long poll, for its response to arrive. */
const MARGIN_MS = 15_000
const [FIRST_POLL_MS, LAST_POLL_MS] = [250, 5_000]

export class Commands {
  readonly #send: Send
  readonly #siteId: string

  constructor(send: Send, siteId: string) {
    this.#send = send
    this.#siteId = siteId
  }

  /** The commands of a device, newest first. */
  list(deviceUuid: string, query: ListCommandsQuery = {}, options?: CallOptions): List<Command> {
    const path = `/devices/${encodeURIComponent(deviceUuid)}/commands`
    const request = { method: 'GET', path, siteId: this.#siteId, query: { ...query } }
    return new List(this.#send, request, options)
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
  async wait(command: CommandReference, options: WaitOptions = {}): Promise<Command> {
    const { timeoutMs = DEFAULT_WAIT_MS, ...rest } = options
    const endsAt = now() + timeoutMs
    let etag: string | undefined
    let latest: Command | undefined
    let pollMs = FIRST_POLL_MS
    for (;;) {
      const seconds = Math.min(LONG_POLL_S, Math.floor((endsAt - now()) / 1000))
      const isLongPoll = etag !== undefined && seconds >= 1
      const headers: Record<string, string> = { ...rest.headers }
      if (etag !== undefined) headers['if-none-match'] = etag
      if (isLongPoll) headers['prefer'] = `wait=${seconds}`
      const { data, response } = await this.#request('GET', command, {
        ...rest,
        headers,
        timeoutMs: (isLongPoll ? seconds * 1000 : 0) + MARGIN_MS,
      })
      etag = response.headers.get('etag') ?? etag
      if (response.status !== 304) {
        latest = data
        if (data.state === 'CONFIRMED') return data
        if (data.state === 'FAILED' || data.state === 'EXPIRED' || data.state === 'CANCELLED')
          throw new CommandFailedError(data)
      }
      const remainingMs = endsAt - now()
      if (remainingMs <= 0 && latest) throw new WaitTimeoutError(latest, timeoutMs)
      // The first request only learns the ETag. A server that did not wait is polled.
      if (etag !== undefined && (!isLongPoll || response.headers.has('preference-applied')) && seconds >= 1)
        continue
      await delay(Math.min(remainingMs, pollMs * (0.5 + Math.random())), rest.signal)
      pollMs = Math.min(LAST_POLL_MS, pollMs * 1.5)
    }
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
    return this.#send<Command>({ method, path, siteId: this.#siteId }, options)
  }
}
