/** Limits how many of something exist at the same time: in this process, and for one key. */
export interface Slots {
  /** Returns a function that frees the slot; undefined if all are taken. */
  acquire(key: string): (() => void) | undefined
}

export function createSlots({ max, maxPerKey }: { max: number; maxPerKey: number }): Slots {
  const taken = new Map<string, number>()
  let total = 0
  return {
    acquire(key) {
      const own = taken.get(key) ?? 0
      if (total >= max || own >= maxPerKey) return undefined
      total += 1
      taken.set(key, own + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        total -= 1
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      }
    },
  }
}
