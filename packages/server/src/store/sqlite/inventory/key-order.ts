/**
 * Rows in the order of their key. In another order, each row of a large document is on another page of an index, and
 * the pages do not fit into the page cache.
 */
export const inKeyOrder = <T>(rows: Iterable<T>, toKey: (row: T) => string): T[] =>
  [...rows].toSorted((a, b) => compare(toKey(a), toKey(b)))

const compare = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
