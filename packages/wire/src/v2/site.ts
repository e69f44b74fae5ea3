import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Uuid } from '../uuid.ts'

export const Site = Type.Object(
  {
    siteUuid: about(Uuid, 'The identifier of the site: the value of the SiteId header.', EXAMPLE.siteUuid),
    siteName: Type.String({ description: 'The name of the site.', examples: ['Aldgate Court'] }),
    timeZone: Type.String({
      description: 'IANA name; the days and hours of the site follow this time zone.',
      examples: ['Europe/London'],
    }),
    sandbox: Type.Boolean({
      description: 'Whether the site is for testing, with simulated devices.',
      examples: [true],
    }),
  },
  { title: 'Site', additionalProperties: false, description: 'A site that was granted to you.' },
)

export type Site = Static<typeof Site>
