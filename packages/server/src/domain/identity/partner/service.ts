import type { Actor } from '../audit.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { type Clock, isoInstant } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { checkName } from './name.ts'
import type { Partner, PartnerChanges, RateLimits, Role } from './partner.ts'
import { createSecret, DEFAULT_SECRET_DAYS, MAX_LIVE_SECRETS, type Secret } from './secret.ts'
import type { PartnerStore } from './store.ts'

export interface NewPartner {
  name: string
  sites: readonly string[]
  roles: readonly Role[]
  /** Set if the partner's tokens come from an external issuer, which assigned the id. */
  clientId?: string
  expiresInDays?: number
  rateLimits?: RateLimits
}

/** A secret with its value, which is returned only here and never stored. */
export interface IssuedSecret extends Secret {
  clientSecret: string
}

export interface PartnerWithSecrets {
  partner: Partner
  secrets: Secret[]
}

export interface PartnerService {
  list(page: { after: string | undefined; limit: number }): Promise<Partner[]>
  get(partnerUuid: string): Promise<PartnerWithSecrets>
  add(input: NewPartner, actor: Actor): Promise<{ partner: Partner; secret: IssuedSecret }>
  change(partnerUuid: string, changes: PartnerChanges, actor: Actor): Promise<Partner>
  addSecret(partnerUuid: string, expiresInDays: number | undefined, actor: Actor): Promise<IssuedSecret>
  removeSecret(partnerUuid: string, secretId: string, actor: Actor): Promise<void>
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const unknownSites = (siteUuids: readonly string[]): AppError => {
  const named = siteUuids.join(', ')
  const detail = siteUuids.length === 1 ? `There is no site ${named}.` : `These sites do not exist: ${named}.`
  const message = `includes sites that do not exist: ${named}`
  return new AppError('validation-error', detail, {
    errors: [{ field: 'sites', code: 'unknown-site', message }],
  })
}

const issued = ({ value, secret }: ReturnType<typeof createSecret>): IssuedSecret => {
  const { hash: _, ...shown } = secret
  return { ...shown, clientSecret: value }
}

export function createPartnerService(deps: {
  store: PartnerStore
  clock: Clock
  /** Resolves when all caches of partners are invalidated. */
  onChange?(): Promise<void>
}): PartnerService {
  const { store, clock } = deps

  return {
    list: (page) => store.list(page),

    async get(partnerUuid) {
      const partner = await store.get(partnerUuid)
      if (!partner) throw notFound('partner')
      return { partner, secrets: await store.secrets(partnerUuid) }
    },

    async add(input, actor) {
      const now = clock.now()
      const partner: Partner = {
        partnerUuid: newUuid(),
        clientId: (input.clientId ?? newUuid()).toLowerCase(),
        name: checkName(input.name),
        enabled: true,
        roles: unique(input.roles),
        sites: unique(input.sites.map((site) => site.toLowerCase())),
        tokensNotBefore: 0,
        createdAt: now,
        updatedAt: now,
        rateLimits: input.rateLimits ?? {},
      }
      const made = createSecret(now, input.expiresInDays ?? DEFAULT_SECRET_DAYS)
      const result = await store.add(partner, made.secret, {
        at: now,
        actor,
        action: 'partner.added',
        target: partner.partnerUuid,
        detail: {
          name: partner.name,
          clientId: partner.clientId,
          roles: partner.roles,
          sites: partner.sites,
        },
      })
      if (result.outcome === 'unknown-sites') throw unknownSites(result.siteUuids)
      if (result.outcome === 'client-id-taken') throw clientIdTaken()
      await deps.onChange?.()
      return { partner, secret: issued(made) }
    },

    async change(partnerUuid, changes, actor) {
      const clean: PartnerChanges = { ...changes }
      if (changes.name !== undefined) checkName(changes.name)
      if (changes.roles) clean.roles = unique(changes.roles)
      for (const field of ['sites', 'grantSites', 'revokeSites'] as const) {
        const sites = changes[field]
        if (sites) clean[field] = unique(sites.map((site) => site.toLowerCase()))
      }
      const result = await store.change(partnerUuid, clean, {
        at: clock.now(),
        actor,
        action: 'partner.changed',
        target: partnerUuid,
        detail: { ...clean },
      })
      if (result.outcome === 'unknown-partner') throw notFound('partner')
      if (result.outcome === 'unknown-sites') throw unknownSites(result.siteUuids)
      if (result.outcome === 'last-operator') {
        throw new AppError('last-operator', 'This is the last enabled partner with the role Operator.')
      }
      await deps.onChange?.()
      return result.partner
    },

    async addSecret(partnerUuid, expiresInDays, actor) {
      const now = clock.now()
      const made = createSecret(now, expiresInDays ?? DEFAULT_SECRET_DAYS)
      const { secretId, hint, expiresAt } = made.secret
      const outcome = await store.addSecret(
        partnerUuid,
        made.secret,
        { maxLive: MAX_LIVE_SECRETS },
        {
          at: now,
          actor,
          action: 'secret.added',
          target: partnerUuid,
          detail: { secretId, hint, expiresAt: isoInstant(expiresAt) },
        },
      )
      if (outcome === 'unknown-partner') throw notFound('partner')
      if (outcome === 'too-many') throw tooManySecrets()
      await deps.onChange?.()
      return issued(made)
    },

    async removeSecret(partnerUuid, secretId, actor) {
      const outcome = await store.removeSecret(partnerUuid, secretId, {
        at: clock.now(),
        actor,
        action: 'secret.removed',
        target: partnerUuid,
        detail: { secretId },
      })
      if (outcome === 'unknown') throw notFound('secret')
      await deps.onChange?.()
    },
  }
}

export const clientIdTaken = (): AppError =>
  new AppError('conflict', 'Another partner has this clientId.', {
    errors: [{ field: 'clientId', code: 'taken', message: 'belongs to another partner' }],
  })

export const tooManySecrets = (): AppError =>
  new AppError('conflict', `A partner has at most ${MAX_LIVE_SECRETS} live secrets; remove one first.`)
