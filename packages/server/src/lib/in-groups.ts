/** Runs so many at a time, one group after the other: who answers them can do so together. Results come in the order given. */
export async function mapInChunks<T, R>(
  items: readonly T[],
  size: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += size)
    results.push(...(await Promise.all(items.slice(start, start + size).map(run))))
  return results
}
