import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { type Static, Type } from 'typebox'
import { Secret } from '../operator/partner.ts'
import { Uuid } from '../uuid.ts'
import { Site } from './site.ts'

export const Account = Type.Object(
  {
    partnerUuid: about(Uuid, 'The partner that the token belongs to.', EXAMPLE.partnerUuid),
    name: Type.String({ description: 'The name of the partner.', examples: ['Example Energy'] }),
    clientId: Type.String({
      description: 'The client_id of token requests.',
      examples: [EXAMPLE.clientId],
    }),
    roles: Type.Array(Type.String(), {
      description: 'The roles granted to the partner.',
      examples: [['Spaces.Read', 'Devices.Read']],
    }),
    sites: Type.Array(Site, { description: 'The sites granted to the partner, by name.' }),
    secrets: Type.Array(Secret, {
      description:
        'The client secrets of the partner, without their values. Renew a secret before it expires.',
    }),
    rateLimits: Type.Object(
      {
        perMinute: Type.Integer({ description: 'Requests per minute and site.', examples: [180] }),
        per5Minutes: Type.Integer({ description: 'Requests per five minutes and site.', examples: [500] }),
        remaining: Type.Optional(
          Type.Array(
            Type.Object(
              {
                siteUuid: about(Uuid, 'The site.', EXAMPLE.siteUuid),
                perMinute: Type.Integer({ description: 'Left of `perMinute`.', examples: [172] }),
                per5Minutes: Type.Integer({ description: 'Left of `per5Minutes`.', examples: [489] }),
              },
              { additionalProperties: false },
            ),
            {
              description:
                'The remaining requests for each of the first 20 sites; absent if the server does not limit requests.',
            },
          ),
        ),
      },
      { additionalProperties: false, description: 'The limits that apply to the partner.' },
    ),
    webhooks: Type.Optional(
      Type.Object(
        {
          enabled: Type.Integer({ description: 'Webhooks that receive events.', examples: [2] }),
          failing: Type.Integer({
            description: 'Webhooks whose endpoint is failing; their events wait.',
            examples: [0],
          }),
          disabled: Type.Integer({
            description: 'Webhooks that were disabled and have to be enabled again.',
            examples: [0],
          }),
        },
        {
          additionalProperties: false,
          description: 'The number of webhooks in each state. Only with the role Webhooks.Manage.',
        },
      ),
    ),
    apiVersion: Type.String({ description: 'The version of this API.', examples: ['2'] }),
    serverVersion: Type.String({ description: 'The version of the server.', examples: ['0.1.0'] }),
  },
  {
    title: 'Account',
    additionalProperties: false,
    description: 'The roles, sites, secrets and limits of the caller.',
  },
)

export type Account = Static<typeof Account>
