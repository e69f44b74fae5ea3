import type { SiteModel } from '../estate/inventory/site-model.ts'

/** Resources with an integer id in version 1, in listing order. */
export const ID_TYPES = ['site', 'building', 'space'] as const

export type IdType = (typeof ID_TYPES)[number]

export const isIdType = (text: string): text is IdType => ID_TYPES.some((type) => type === text)

/** A resource with its identifiers in both versions. */
export interface IdMapRow {
  type: IdType
  id: number
  uuid: string
  name: string
}

/** Without archived resources, which version 2 does not return. */
export function buildIdMap({ site, buildings, spaces }: SiteModel, types: readonly IdType[]): IdMapRow[] {
  const all: Record<IdType, IdMapRow[]> = {
    site: [named('site', site.legacyId, site.siteUuid, site.siteName)],
    building: [...buildings.values()].map(({ legacyId, buildingUuid, buildingName }) =>
      named('building', legacyId, buildingUuid, buildingName),
    ),
    space: [...spaces.values()].map(({ legacyId, spaceUuid, spaceName }) =>
      named('space', legacyId, spaceUuid, spaceName),
    ),
  }
  return ID_TYPES.filter((type) => types.includes(type)).flatMap((type) =>
    all[type].toSorted((a, b) => a.id - b.id),
  )
}

function named(type: IdType, id: number | null, uuid: string, name: string): IdMapRow {
  if (id === null) throw new Error(`The ${type} ${uuid} was stored without a legacy id.`)
  return { type, id, uuid, name }
}
