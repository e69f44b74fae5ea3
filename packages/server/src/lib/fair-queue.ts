export interface FairQueueBounds {
  /** Tasks of all keys that run at the same time. */
  maxRunning: number
  /** Tasks of one key that wait for their turn. */
  maxWaitingPerKey: number
}

/** A task's place in the queue. */
export interface Ticket {
  /** Resolves when the task may run. It never resolves after `leave`. */
  turn: Promise<void>
  /** Gives up the place when the task has ended or is abandoned. Further calls have no effect. */
  leave(): void
}

export interface FairQueue {
  /** Undefined where too many tasks of the key are waiting. */
  enter(key: string): Ticket | undefined
}

interface KeyState {
  isRunning: boolean
  /** Callbacks that start the waiting tasks, oldest first. */
  waiting: (() => void)[]
}

/** Runs tasks of the same key one after another, and gives the keys that have waiting tasks their turns in rotation. */
export function createFairQueue({ maxRunning, maxWaitingPerKey }: FairQueueBounds): FairQueue {
  // In the order of their next turn. A key is present while it has a task.
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
            // Other keys come first: one that always has a task waiting would otherwise keep its place.
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
