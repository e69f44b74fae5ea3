import { AppError, type ErrorCode, type FieldError } from './errors.ts'

/** A message channel to another process or thread. */
export interface MessageTransport {
  send(messages: Message[]): void
  onMessage(listener: (messages: Message[]) => void): void
}

export type Message =
  | { kind: 'call'; id: number; name: string; values: unknown[] }
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failure'; id: number; failure: SerializedError }

export interface IpcConnection<Theirs> {
  call<N extends keyof Theirs & string>(
    name: N,
    ...values: CallArguments<Theirs[N]>
  ): Promise<CallResult<Theirs[N]>>
  /** To be called when the other side has ended: rejects all pending calls. */
  end(reason: Error): void
}

type CallArguments<F> = F extends (...values: infer Values) => unknown ? Values : never
type CallResult<F> = F extends (...values: never[]) => infer Result ? Awaited<Result> : never

interface PendingCall {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Calls between two processes or threads. Those of one event-loop tick are sent as one message, because sending is expensive. */
export function createIpc<Theirs>(channel: MessageTransport, ours: object): IpcConnection<Theirs> {
  const pending = new Map<number, PendingCall>()
  let outgoing: Message[] = []
  let nextId = 1
  let ended: Error | undefined

  const flush = (): void => {
    const messages = outgoing
    outgoing = []
    if (!ended) channel.send(messages)
  }

  const post = (message: Message): void => {
    if (outgoing.push(message) === 1) setImmediate(flush)
  }

  const respond = async (id: number, name: string, values: unknown[]): Promise<void> => {
    try {
      // The caller's type parameter `Theirs` has checked the values.
      const call: unknown = Reflect.get(ours, name)
      if (typeof call !== 'function') throw new Error(`${name} cannot be called in this process now.`)
      post({ kind: 'result', id, value: await Reflect.apply(call, ours, values) })
    } catch (error) {
      post({ kind: 'failure', id, failure: serializeError(error) })
    }
  }

  const resolveCall = (message: Exclude<Message, { kind: 'call' }>): void => {
    const call = pending.get(message.id)
    pending.delete(message.id)
    if (message.kind === 'result') call?.resolve(message.value)
    else call?.reject(deserializeError(message.failure))
  }

  channel.onMessage((messages) => {
    for (const message of messages) {
      if (message.kind === 'call') void respond(message.id, message.name, message.values)
      else resolveCall(message)
    }
  })

  return {
    call: (name, ...values) => {
      if (ended) return Promise.reject(ended)
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const id = nextId++
      pending.set(id, { resolve, reject })
      post({ kind: 'call', id, name, values })
      return promise as Promise<CallResult<Theirs[typeof name]>>
    },
    end(reason) {
      ended = reason
      for (const { reject } of pending.values()) reject(reason)
      pending.clear()
    },
  }
}

/** An error as sent to another process: serialization loses its class. */
export type SerializedError =
  | {
      kind: 'app'
      code: ErrorCode
      detail: string
      errors: readonly FieldError[]
      internal: string | undefined
      retryAfterSeconds: number | undefined
    }
  | { kind: 'other'; message: string; stack: string | undefined }

export function serializeError(error: unknown): SerializedError {
  if (error instanceof AppError) {
    const { code, message: detail, errors, internal, retryAfterSeconds } = error
    return { kind: 'app', code, detail, errors, internal, retryAfterSeconds }
  }
  if (error instanceof Error) return { kind: 'other', message: error.message, stack: error.stack }
  return { kind: 'other', message: String(error), stack: undefined }
}

export function deserializeError(sent: SerializedError): Error {
  if (sent.kind === 'other') {
    const error = new Error(sent.message)
    if (sent.stack !== undefined) error.stack = sent.stack
    return error
  }
  const { code, detail, errors, internal, retryAfterSeconds } = sent
  return new AppError(code, detail, {
    errors,
    ...(internal === undefined ? {} : { internal }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
