import { type Static, Type } from 'typebox'
import { Uuid } from '../uuid.ts'

export const Site = Type.Object(
  {
    siteUuid: Uuid,
    siteName: Type.String(),
    timeZone: Type.String({ description: 'IANA name; days and hours of the site follow it.' }),
    sandbox: Type.Boolean({ description: 'A site for trying things out.' }),
  },
  { title: 'Site', additionalProperties: false },
)

export type Site = Static<typeof Site>
