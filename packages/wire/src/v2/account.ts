import { type Static, Type } from 'typebox'
import { Secret } from '../operator/partner.ts'
import { Uuid } from '../uuid.ts'
import { Site } from './site.ts'

export const Account = Type.Object(
  {
    partnerUuid: {
      ...Uuid,
      description: 'The partner that the token belongs to.',
      examples: ['7c1f6c0e-6a53-4f6d-9a55-0b3f2f7f1a01'],
    },
    name: Type.String({ description: 'The name of the partner.', examples: ['Example Energy'] }),
    clientId: Type.String({
      description: 'The client_id of token requests.',
      examples: ['3f0c6b52-1d1a-4a42-9c32-5f8f0f3a1b11'],
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
      },
      { additionalProperties: false, description: 'The limits that apply to the partner.' },
    ),
    apiVersion: Type.String({ description: 'The version of this API.', examples: ['2'] }),
    serverVersion: Type.String({ description: 'The version of the server.', examples: ['0.2.0'] }),
  },
  {
    title: 'Account',
    additionalProperties: false,
    description: 'What the server knows about the caller: its roles, sites, secrets and limits.',
  },
)

export type Account = Static<typeof Account>
