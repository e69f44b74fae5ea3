/** Whether an item matches a filter by identifier; an absent filter matches everything. */
export const matchesFilter = (wanted: string | undefined, uuid: string | null): boolean =>
  wanted === undefined || wanted.toLowerCase() === uuid
