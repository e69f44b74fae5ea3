import { type Static, Type } from 'typebox'
import { about, LINE } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'

export const Role = Type.Enum([
  'Spaces.Read',
  'Devices.Read',
  'Devices.Control',
  'Events.Read',
  'Webhooks.Manage',
  'V1.Read',
  'Operator',
])

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  ...LINE,
  description: 'The name of the partner, one line of text.',
  examples: ['Residents’ app'],
})
const SITES = { description: 'The sites that it may use.', examples: [[EXAMPLE.siteUuid]] }
const ROLES = {
  description: 'What it may do.',
  examples: [['Spaces.Read', 'Devices.Read', 'Devices.Control']],
}
const Sites = Type.Array(Uuid, { maxItems: 10_000, ...SITES })
const toSites = (description: string) =>
  Type.Array(Uuid, { maxItems: 10_000, description, examples: [[EXAMPLE.siteUuid]] })
const Roles = Type.Array(Role, { maxItems: 20, ...ROLES })
const ENABLED = { description: 'Whether it can get tokens and use them.', examples: [true] }

export const ExpiresInDays = Type.Integer({
  minimum: 0,
  maximum: 3650,
  description: 'Days until the secret expires; 365 if absent. With 0, it has already expired.',
  examples: [365],
})

const RateLimits = Type.Object(
  {
    perMinute: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Requests per minute and site.' }),
    ),
    per5Minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Requests per five minutes and site.' }),
    ),
  },
  { additionalProperties: false, description: 'Limits that differ from those of the installation.' },
)

export const NewPartner = Type.Object(
  {
    name: Name,
    sites: Sites,
    roles: Roles,
    clientId: Type.Optional(
      about(Uuid, 'Its client_id, for tokens of an external issuer; assigned if absent.'),
    ),
    expiresInDays: Type.Optional(ExpiresInDays),
    rateLimits: Type.Optional(RateLimits),
  },
  { title: 'NewPartner', additionalProperties: false, description: 'The partner to add.' },
)

export type NewPartner = Static<typeof NewPartner>

export const PartnerChanges = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean(ENABLED)),
    sites: Type.Optional(Sites),
    grantSites: Type.Optional(toSites('Sites that it may use as well. Concurrent changes add up.')),
    revokeSites: Type.Optional(toSites('Sites that it may no longer use.')),
    roles: Type.Optional(Roles),
    name: Type.Optional(Name),
    rateLimits: Type.Optional(RateLimits),
  },
  {
    title: 'PartnerChanges',
    additionalProperties: false,
    description: 'Changes to a partner. Fields that are absent stay as they are.',
  },
)

export type PartnerChanges = Static<typeof PartnerChanges>

const partnerFields = {
  partnerUuid: about(Uuid, 'The identifier of the partner.', EXAMPLE.partnerUuid),
  name: Type.String({ description: 'The name of the partner.', examples: ['Residents’ app'] }),
  clientId: about(Uuid, 'The client_id of its token requests.', EXAMPLE.clientId),
  sites: Type.Array(Uuid, SITES),
  roles: Type.Array(Role, ROLES),
  enabled: Type.Boolean(ENABLED),
  createdAt: about(Instant, 'When it was added.', '2026-11-16T09:30:00.000Z'),
  updatedAt: about(Instant, 'When it was last changed.', '2026-11-16T09:30:00.000Z'),
  rateLimits: RateLimits,
}

export const Partner = Type.Object(partnerFields, {
  title: 'Partner',
  additionalProperties: false,
  description: 'A client of the API with its sites and roles.',
})

export type Partner = Static<typeof Partner>

const secretFields = {
  secretId: about(Uuid, 'The identifier of the secret; not its value.', EXAMPLE.secretId),
  hint: Type.String({ description: 'The first four characters of the value.', examples: ['q7Fd'] }),
  createdAt: about(Instant, 'When it was added.', '2026-11-16T09:30:00.000Z'),
  expiresAt: about(Instant, 'When it expires.', '2027-11-16T09:30:00.000Z'),
}

export const Secret = Type.Object(
  {
    ...secretFields,
    lastUsedAt: Type.Union([Instant, Type.Null()], {
      description: 'When a token was last issued for it; null if never.',
      examples: ['2026-11-16T09:31:12.000Z'],
    }),
  },
  { title: 'Secret', additionalProperties: false, description: 'A secret of a partner, without its value.' },
)

export type Secret = Static<typeof Secret>

export const PartnerWithSecrets = Type.Object(
  { ...partnerFields, secrets: Type.Array(Secret, { description: 'Its secrets, without their values.' }) },
  {
    title: 'PartnerWithSecrets',
    additionalProperties: false,
    description: 'A partner with its secrets, without their values.',
  },
)

export type PartnerWithSecrets = Static<typeof PartnerWithSecrets>

const ClientSecret = Type.String({
  description: 'The value of the secret, shown only once.',
  examples: ['q7Fd…'],
})

const address = (description: string, example: string) =>
  Type.String({ format: 'uri', description, examples: [example] })

/** Everything that the operator passes on to the partner. */
export const AddedPartner = Type.Object(
  {
    ...partnerFields,
    clientSecret: ClientSecret,
    secret: about(Secret, 'The secret without its value.', {
      secretId: EXAMPLE.secretId,
      hint: 'q7Fd',
      createdAt: '2026-11-16T09:30:00.000Z',
      expiresAt: '2027-11-16T09:30:00.000Z',
      lastUsedAt: null,
    }),
    authUrl: address('Where the partner gets tokens.', 'https://api.example.com/auth'),
    baseUrl: address('The address of version 2.', 'https://api.example.com/v2'),
    baseUrlV1: address('The address of version 1.', 'https://api.example.com/v1'),
    scope: Type.String({
      description: 'The scope of its token requests.',
      examples: [`api://${EXAMPLE.clientId}/.default`],
    }),
  },
  {
    title: 'AddedPartner',
    additionalProperties: false,
    description: 'A new partner with its secret and the addresses to pass on.',
  },
)

export type AddedPartner = Static<typeof AddedPartner>

export const NewSecret = Type.Object(
  { expiresInDays: Type.Optional(ExpiresInDays) },
  { title: 'NewSecret', additionalProperties: false, description: 'The secret to add.' },
)

export const AddedSecret = Type.Object(
  {
    ...secretFields,
    lastUsedAt: Type.Null({ description: 'Null: it has not been used yet.' }),
    clientSecret: ClientSecret,
  },
  {
    title: 'AddedSecret',
    additionalProperties: false,
    description: 'A new secret of a partner, with its value.',
  },
)

export type AddedSecret = Static<typeof AddedSecret>
