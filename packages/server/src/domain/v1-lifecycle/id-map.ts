import type { SiteModel } from '../estate/inventory/site-model.ts'

/** Records that version 1 identifies by an integer, in list order. */
export const ID_TYPES = ['site', 'building', 'space'] as const

export type IdType = (typeof ID_TYPES)[number]

export const isIdType = (text: string): text is IdType => ID_TYPES.some((type) => type === text)

/** A record with both of its identifiers. */
export interface IdMapRow {
  type: IdType
  id: number
  uuid: string
  name: string
}

/** Archived records are excluded, because version 2 does not return them. */
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
