import type { AddedPartner, AddedSecret, Partner as WirePartner } from '@portico/wire/operator/partner'
import type { Addresses } from '../../../config/config.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { type Partner, toScope } from '../../../domain/identity/partner/partner.ts'
import { toWireSecret } from '../../wire-secret.ts'
import type { IssuedSecret } from '../../../domain/identity/partner/service.ts'

export const toWirePartner = (partner: Partner): WirePartner => ({
  partnerUuid: partner.partnerUuid,
  name: partner.name,
  clientId: partner.clientId,
  sites: [...partner.sites],
  roles: [...partner.roles],
  enabled: partner.enabled,
  createdAt: isoInstant(partner.createdAt),
  updatedAt: isoInstant(partner.updatedAt),
  rateLimits: partner.rateLimits,
})

export const toWireAddedSecret = (secret: IssuedSecret): AddedSecret => ({
  ...toWireSecret(secret),
  lastUsedAt: null,
  clientSecret: secret.clientSecret,
})

export const toWireAddedPartner = (
  { partner, secret }: { partner: Partner; secret: IssuedSecret },
  addresses: Pick<Addresses, 'authUrl' | 'baseUrl' | 'baseUrlV1'>,
): AddedPartner => ({
  ...toWirePartner(partner),
  clientSecret: secret.clientSecret,
  secret: toWireSecret(secret),
  authUrl: addresses.authUrl,
  baseUrl: addresses.baseUrl,
  baseUrlV1: addresses.baseUrlV1,
  scope: toScope(partner.clientId),
})
