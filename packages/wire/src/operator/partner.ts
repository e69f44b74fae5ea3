import { type Static, Type } from 'typebox'
import { Instant, Uuid } from '../uuid.ts'

export const Role = Type.Enum(['Spaces.Read', 'Devices.Read', 'Devices.Control', 'V1.Read', 'Operator'])

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  description: 'One line of text.',
})
const Sites = Type.Array(Uuid, { maxItems: 10_000 })
const Roles = Type.Array(Role, { maxItems: 20 })

export const ExpiresInDays = Type.Number({
  minimum: 0,
  maximum: 3650,
  description: 'Days until the secret expires; 365 if absent. With 0, it has already expired.',
})

const RateLimits = Type.Object(
  {
    perMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    per5Minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  },
  { additionalProperties: false, description: 'Limits that differ from those of the installation.' },
)

export const NewPartner = Type.Object(
  {
    name: Name,
    sites: Sites,
    roles: Roles,
    clientId: Type.Optional(Uuid),
    expiresInDays: Type.Optional(ExpiresInDays),
    rateLimits: Type.Optional(RateLimits),
  },
  { title: 'NewPartner', additionalProperties: false },
)

export type NewPartner = Static<typeof NewPartner>

export const PartnerChanges = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    sites: Type.Optional(Sites),
    roles: Type.Optional(Roles),
    name: Type.Optional(Name),
    rateLimits: Type.Optional(RateLimits),
  },
  { title: 'PartnerChanges', additionalProperties: false },
)

export type PartnerChanges = Static<typeof PartnerChanges>

const partnerFields = {
  partnerUuid: Uuid,
  name: Type.String(),
  clientId: Uuid,
  sites: Type.Array(Uuid),
  roles: Type.Array(Role),
  enabled: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  rateLimits: RateLimits,
}

export const Partner = Type.Object(partnerFields, { title: 'Partner', additionalProperties: false })

export type Partner = Static<typeof Partner>

const secretFields = {
  secretId: Uuid,
  hint: Type.String({ description: 'The first characters of the value.' }),
  createdAt: Instant,
  expiresAt: Instant,
}

export const Secret = Type.Object(
  { ...secretFields, lastUsedAt: Type.Union([Instant, Type.Null()]) },
  { title: 'Secret', additionalProperties: false },
)

export type Secret = Static<typeof Secret>

export const PartnerWithSecrets = Type.Object(
  { ...partnerFields, secrets: Type.Array(Secret) },
  { title: 'PartnerWithSecrets', additionalProperties: false },
)

export type PartnerWithSecrets = Static<typeof PartnerWithSecrets>

const ClientSecret = Type.String({ description: 'The value, shown only once.' })

/** Everything that is handed over to the partner. */
export const AddedPartner = Type.Object(
  {
    ...partnerFields,
    clientSecret: ClientSecret,
    secret: Secret,
    authUrl: Type.String({ format: 'uri' }),
    baseUrl: Type.String({ format: 'uri' }),
    baseUrlV1: Type.String({ format: 'uri' }),
    scope: Type.String(),
  },
  { title: 'AddedPartner', additionalProperties: false },
)

export type AddedPartner = Static<typeof AddedPartner>

export const NewSecret = Type.Object(
  { expiresInDays: Type.Optional(ExpiresInDays) },
  { additionalProperties: false },
)

export const AddedSecret = Type.Object(
  { ...secretFields, lastUsedAt: Type.Null(), clientSecret: ClientSecret },
  { title: 'AddedSecret', additionalProperties: false },
)

export type AddedSecret = Static<typeof AddedSecret>
