import { type Static, Type } from 'typebox'
import { Uuid } from '../uuid.ts'

export const Site = Type.Object(
  {
    siteUuid: Uuid,
    siteName: Type.String(),
    timeZone: Type.String({
      description: 'IANA name; the days and hours of the site follow this time zone.',
    }),
    sandbox: Type.Boolean({ description: 'Whether the site is for testing, with simulated devices.' }),
  },
  { title: 'Site', additionalProperties: false },
)

export type Site = Static<typeof Site>
