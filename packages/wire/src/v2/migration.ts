import { type Static, Type } from 'typebox'
import { Instant, Uuid } from '../uuid.ts'

export const IdMapEntry = Type.Object(
  {
    type: Type.Enum(['site', 'building', 'space']),
    id: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The siteId, buildingId or spaceId of version 1.',
    }),
    uuid: Uuid,
    name: Type.String(),
  },
  { title: 'IdMapEntry', additionalProperties: false },
)

export type IdMapEntry = Static<typeof IdMapEntry>

/** A version 1 endpoint and its replacement. */
export const v1EndpointFields = {
  method: Type.Enum(['GET']),
  path: Type.String({ description: 'Path below the base address of version 1.' }),
  state: Type.Enum(['replaced', 'awaiting-v2', 'retiring'], {
    description: 'Version 2 has it, will have it, or never will.',
  }),
  replacement: Type.Union([Type.String(), Type.Null()], {
    description: 'Path that replaces it, below the base address of version 2; null if there is none.',
  }),
}

export const V1Usage = Type.Object(
  {
    ...v1EndpointFields,
    calls: Type.Integer({ minimum: 0, description: 'All calls, whatever their status.' }),
    lastSeenAt: Type.Union([Instant, Type.Null()], { description: 'Null if never called.' }),
  },
  { title: 'V1Usage', additionalProperties: false },
)

export type V1Usage = Static<typeof V1Usage>
