/** The values of a column as choices of a filter, each once and in order. */
export const toOptions = (values: readonly string[]): { value: string; name: string }[] =>
  [...new Set(values)].toSorted().map((value) => ({ value, name: value }))
