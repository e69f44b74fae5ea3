import { yieldIfDue } from './time-slice.ts'

/**
 * Loads items in chunks of `size` and passes on the results in the order of the items. Only the results of one chunk are in memory
 * at a time, and other work can run between chunks.
 */
export async function forEachInChunks<T, R>(
  items: readonly T[],
  size: number,
  load: (item: T) => Promise<R>,
  use: (result: R, item: T, index: number) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await yieldIfDue()
    const chunk = items.slice(start, start + size)
    const results = await Promise.all(chunk.map(load))
    for (const [place, item] of chunk.entries()) use(results[place] as R, item, start + place)
  }
}
