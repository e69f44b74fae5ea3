import type { GridLocation } from './provider.ts'

/** The whole grid. */
export const NATIONAL = 'GB'

const OUTWARD = /^([A-Z]{1,2}\d[A-Z\d]?)(?: ?\d[A-Z]{2})?$/
/** Northern Ireland and the Crown dependencies have British postcodes but separate grids. */
const OTHER_GRIDS = /^(BT|GY|IM|JE)/

/** The outward code of a British postcode, which is all that the service accepts; null for any other text. */
export function parseOutwardCode(postcode: string): string | null {
  return OUTWARD.exec(postcode.trim().toUpperCase())?.[1] ?? null
}

/** The region to request: an outward code, the whole grid, or null where Great Britain's grid does not reach. */
export function findRegion({ postcode, latitude, longitude }: GridLocation): string | null {
  const outward = postcode === null ? null : parseOutwardCode(postcode)
  if (outward !== null) return OTHER_GRIDS.test(outward) ? null : outward
  if (latitude === null || longitude === null) return NATIONAL
  return isInBritain(latitude, longitude) ? NATIONAL : null
}

/** Approximation: a bounding box around the island, without Ireland. */
function isInBritain(latitude: number, longitude: number): boolean {
  const isInFrame = latitude > 49.8 && latitude < 61 && longitude > -8.7 && longitude < 1.8
  const isInIreland = latitude > 51.3 && latitude < 55.4 && longitude < -5.4
  return isInFrame && !isInIreland
}
