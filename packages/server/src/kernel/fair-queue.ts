export interface FairQueueBounds {
  /** Maximum number of tasks, of all keys, that run concurrently. */
  maxRunning: number
  /** Maximum number of waiting tasks of one key. */
  maxWaitingPerKey: number
}

/** A task's position in the queue. */
export interface Ticket {
  /** Resolves when the task may run. It never resolves after `leave`. */
  turn: Promise<void>
  /** Must be called when the task has ended or is abandoned. Further calls have no effect. */
  leave(): void
}

export interface FairQueue {
  /** Returns undefined if too many tasks of the key are waiting. */
  enter(key: string): Ticket | undefined
}

interface KeyState {
  isRunning: boolean
  /** Callbacks that start the waiting tasks, oldest first. */
  waiting: (() => void)[]
}

/** Runs tasks of the same key one after another, and serves keys with waiting tasks in rotation. */
export function createFairQueue({ maxRunning, maxWaitingPerKey }: FairQueueBounds): FairQueue {
  // Keys in the order of their next turn. A key is present while it has a task.
  const states = new Map<string, KeyState>()
  let running = 0

  const moveToEnd = (key: string, state: KeyState): void => {
    states.delete(key)
    if (state.isRunning || state.waiting.length > 0) states.set(key, state)
  }

  const startNext = (): void => {
    for (const state of states.values()) {
      if (running >= maxRunning) return
      if (state.isRunning) continue
      const start = state.waiting.shift()
      if (!start) continue
      state.isRunning = true
      running += 1
      start()
    }
  }

  return {
    enter(key) {
      const state = states.get(key) ?? { isRunning: false, waiting: [] }
      const mustWait = state.isRunning || state.waiting.length > 0 || running >= maxRunning
      if (mustWait && state.waiting.length >= maxWaitingPerKey) return undefined
      const { promise: turn, resolve } = Promise.withResolvers<void>()
      let hasStarted = false
      let hasLeft = false
      const start = (): void => {
        hasStarted = true
        resolve()
      }
      state.waiting.push(start)
      states.set(key, state)
      startNext()
      return {
        turn,
        leave() {
          if (hasLeft) return
          hasLeft = true
          if (hasStarted) {
            state.isRunning = false
            running -= 1
            // Other keys come first: otherwise a key that always has a waiting task would keep its position.
            moveToEnd(key, state)
          } else {
            state.waiting.splice(state.waiting.indexOf(start), 1)
            if (!state.isRunning && state.waiting.length === 0) states.delete(key)
          }
          startNext()
        },
      }
    },
  }
}
