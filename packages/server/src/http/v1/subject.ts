import { invalidField, notFound } from '../../kernel/errors.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import type { V1Subject } from '../../domain/v1-lifecycle/catalogue.ts'
import type { PathParams } from '../pipeline/request-target.ts'
import type { V1Target } from './route.ts'

const HIGHEST = 2_147_483_647

/** Names of the path parameters; the tenant has none. */
const NAMES: Record<Exclude<V1Subject, 'tenant'>, string> = {
  space: 'spaceId',
  building: 'buildingId',
  site: 'siteId',
}

function readId(params: PathParams, name: string): number {
  const text = params[name]
  const isId = text !== undefined && /^[1-9]\d{0,9}$/.test(text)
  const id = isId ? Number(text) : Number.POSITIVE_INFINITY
  if (id > HIGHEST) throw invalidField(name, 'malformed', `must be an integer from 1 to ${HIGHEST}`)
  return id
}

/** Finds the subject of the request within its site; another site's records are treated as non-existent. */
export function findSubject(params: PathParams, subject: V1Subject, model: SiteModel): V1Target {
  if (subject === 'tenant') return { kind: 'tenant' }
  const id = readId(params, NAMES[subject])
  if (subject === 'space') {
    const space = model.byLegacyId.spaces.get(id)
    if (space) return { kind: 'space', space }
  } else if (subject === 'building') {
    const building = model.byLegacyId.buildings.get(id)
    if (building) return { kind: 'building', building }
  } else if (model.site.legacyId === id) return { kind: 'site' }
  throw notFound(subject)
}
