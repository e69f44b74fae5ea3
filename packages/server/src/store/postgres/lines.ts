import { unavailable } from '../../errors.ts'
import type { Line } from './line.ts'

const CLOSE_SECONDS = 5

/** Lines that are opened as they are needed and let go of once they are lost. */
export interface Lines {
  /** One for everybody. */
  current(): Line
  /** One that nobody else has meanwhile. */
  use<T>(work: (line: Line) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function createLines(open: () => Line): Lines {
  const all = new Set<Line>()
  const free: Line[] = []
  let common: Line | undefined
  let isClosed = false

  const opened = (): Line => {
    if (isClosed) throw unavailable('The store is closed.')
    const line = open()
    all.add(line)
    return line
  }

  const isUsable = (line: Line): boolean => {
    if (!line.isLost()) return true
    if (all.delete(line)) void line.end(CLOSE_SECONDS)
    return false
  }

  return {
    current() {
      if (!common || isClosed || !isUsable(common)) common = opened()
      return common
    },
    async use(work) {
      const line = free.splice(0).filter(isUsable)
      const [mine = opened(), ...others] = line
      free.push(...others)
      try {
        return await work(mine)
      } finally {
        if (isUsable(mine)) free.push(mine)
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...all].map((line) => line.end(CLOSE_SECONDS)))
    },
  }
}
