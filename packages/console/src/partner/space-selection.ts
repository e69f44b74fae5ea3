import type { Space } from '@portico/sdk'
import type { QueryValue } from '../api.ts'

/** The most spaces that a batch read may name. */
const MAX_NAMED = 200

export interface SpaceFilters {
  search: string | undefined
  spaceType: string | undefined
  buildingUuid: string | undefined
  floorNumber: string | undefined
}

export function chunk<T>(rows: readonly T[]): T[][] {
  const chunks: T[][] = []
  for (let index = 0; index < rows.length; index += MAX_NAMED)
    chunks.push(rows.slice(index, index + MAX_NAMED))
  return chunks
}

/**
 * Selects the spaces of a table in a batch read. If the table is complete and the batch has the same filters, the
 * filters are used; otherwise the spaces are named.
 */
export function toSelection(
  spaces: readonly Space[],
  { search, spaceType, buildingUuid, floorNumber }: SpaceFilters,
  isWhole: boolean,
): Record<string, QueryValue> {
  if (isWhole && search === undefined && floorNumber === undefined) return { spaceType, buildingUuid }
  return { spaceUuids: spaces.map(({ spaceUuid }) => spaceUuid) }
}
