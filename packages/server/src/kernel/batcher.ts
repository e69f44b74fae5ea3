export interface BatcherOptions<Call, Result> {
  /** Only calls with the same key share a batch. */
  key(call: Call): string
  /** Returns the results in the order of the calls. */
  flush(calls: readonly Call[]): Promise<readonly Result[]>
  /**
   * `idle`: the first call is sent immediately, and calls made while a batch is in flight form the next one.
   * `tick`: the calls of one event-loop tick form a batch; several may be in flight.
   */
  when: 'idle' | 'tick'
}

/** Batches calls by key. Each caller gets its own result; if a batch fails, all of its calls fail. */
export function createBatcher<Call, Result>({
  key,
  flush,
  when,
}: BatcherOptions<Call, Result>): (call: Call) => Promise<Result> {
  interface Waiting {
    call: Call
    resolve(result: Result): void
    reject(error: unknown): void
  }
  const queues = new Map<string, Waiting[]>()

  const send = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await flush(batch.map(({ call }) => call))
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const sendWhenIdle = async (name: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await send(queue.splice(0))
    queues.delete(name)
  }

  const sendAfterTick = (name: string, queue: Waiting[]): void =>
    void setImmediate(() => {
      queues.delete(name)
      void send(queue)
    })

  return (call) =>
    new Promise((resolve, reject) => {
      const name = key(call)
      const waiting = { call, resolve, reject }
      const queue = queues.get(name)
      if (queue) {
        queue.push(waiting)
        return
      }
      const own = [waiting]
      queues.set(name, own)
      if (when === 'tick') sendAfterTick(name, own)
      else void sendWhenIdle(name, own)
    })
}

export interface WriteBehindOptions<Entry> {
  everyMs: number
  key(entry: Entry): string
  /** Adds an entry to a pending one with the same key. Must be commutative. */
  merge(pending: Entry, entry: Entry): void
  flush(entries: readonly Entry[]): Promise<void>
  /** Called when a periodic flush has failed. */
  onError(error: unknown): void
}

export interface WriteBehind<Entry> {
  add(entry: Entry): void
  /** Stores the pending entries. If that fails, they stay pending. */
  flush(): Promise<void>
  /** Stops the timer and flushes. */
  close(): Promise<void>
}

/** Collects entries in memory and stores them periodically, so that recording one costs no write. */
export function createWriteBehind<Entry>({
  everyMs,
  key,
  merge,
  flush: store,
  onError,
}: WriteBehindOptions<Entry>): WriteBehind<Entry> {
  let pending = new Map<string, Entry>()
  let flushing = Promise.resolve()

  const add = (entry: Entry): void => {
    const name = key(entry)
    const previous = pending.get(name)
    if (previous === undefined) pending.set(name, entry)
    else merge(previous, entry)
  }

  const storePending = async (): Promise<void> => {
    if (pending.size === 0) return
    const batch = [...pending.values()]
    pending = new Map()
    try {
      await store(batch)
    } catch (error) {
      for (const entry of batch) add(entry)
      throw error
    }
  }

  /** One at a time: after a flush, a reader must not miss a batch that an earlier flush is still storing. */
  const flush = (): Promise<void> => {
    const next = flushing.then(storePending)
    flushing = next.catch(() => {})
    return next
  }

  const timer = setInterval(() => void flush().catch(onError), everyMs)
  timer.unref()

  return {
    add,
    flush,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}
