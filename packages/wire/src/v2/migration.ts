import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'

export const IdMapEntry = Type.Object(
  {
    type: Type.Enum(['site', 'building', 'space'], {
      description: 'What the identifiers belong to.',
      examples: ['space'],
    }),
    id: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The siteId, buildingId or spaceId of version 1.',
      examples: [EXAMPLE.spaceId],
    }),
    uuid: about(Uuid, 'The siteUuid, buildingUuid or spaceUuid of version 2.', EXAMPLE.spaceUuid),
    name: Type.String({ description: 'The name of the site, building or space.', examples: ['S001'] }),
  },
  {
    title: 'IdMapEntry',
    additionalProperties: false,
    description: 'An identifier of version 1 and that of version 2.',
  },
)

export type IdMapEntry = Static<typeof IdMapEntry>

/** A version 1 endpoint and its replacement. */
export const v1EndpointFields = {
  method: Type.Enum(['GET'], { description: 'The method of the endpoint.' }),
  path: Type.String({
    description: 'Path below the base address of version 1.',
    examples: ['/spaces/utilities/{spaceId}'],
  }),
  state: Type.Enum(['replaced', 'awaiting-v2', 'retiring'], {
    description: 'Version 2 has it, will have it, or never will.',
  }),
  replacement: Type.Union([Type.String(), Type.Null()], {
    description: 'Path that replaces it, below the base address of version 2; null if there is none.',
    examples: ['/spaces/{spaceuuid}/aggregate/{metrictype}/hourly'],
  }),
}

export const V1Usage = Type.Object(
  {
    ...v1EndpointFields,
    calls: Type.Integer({ minimum: 0, description: 'All calls, whatever their status.', examples: [1440] }),
    lastSeenAt: Type.Union([Instant, Type.Null()], {
      description: 'Time of the last call; null if never called.',
      examples: ['2026-11-15T03:32:28.000Z'],
    }),
    deprecatedAt: Type.Union([Instant, Type.Null()], {
      description: 'When it was deprecated; null if it is not.',
      examples: ['2026-11-01T00:00:00.000Z'],
    }),
    sunsetAt: Type.Union([Instant, Type.Null()], {
      description: 'When it ends, or ended: from then on it returns 410. Null if no date is set.',
      examples: ['2027-06-30T00:00:00.000Z'],
    }),
  },
  { title: 'V1Usage', additionalProperties: false, description: 'Your calls to an endpoint of version 1.' },
)

export type V1Usage = Static<typeof V1Usage>
