import { useRef } from 'preact/hooks'

export interface Option {
  value: string
  name: string
}

/**
 * The values of a column as choices of a filter, each once and in order. Values that were loaded once stay choices: a
 * filtered list contains only one of them.
 */
export function useOptions(values: readonly string[], known: readonly string[] = []): Option[] {
  const seen = useRef(new Set(known))
  for (const value of values) seen.current.add(value)
  return [...seen.current].toSorted().map((value) => ({ value, name: value }))
}
