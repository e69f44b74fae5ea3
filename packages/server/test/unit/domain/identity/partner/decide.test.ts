import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  decidePartnerChange,
  decideSecretAdd,
  removesOperator,
} from '../../../../../src/domain/identity/partner/decide.ts'
import type { Partner, PartnerChanges, Role } from '../../../../../src/domain/identity/partner/partner.ts'
import { createSecret } from '../../../../../src/domain/identity/partner/secret.ts'
import { entry, newPartner, NOON } from '../../../../support/seed.ts'

const ROLES = fc.constantFrom<readonly Role[]>(['Operator'], ['Spaces.Read'], ['Operator', 'Spaces.Read'])
const SITES = fc.constantFrom<readonly string[]>([], ['one'], ['one', 'two'])

const changes = fc
  .record({
    name: fc.option(fc.constant('Renamed'), { nil: undefined }),
    enabled: fc.option(fc.boolean(), { nil: undefined }),
    roles: fc.option(ROLES, { nil: undefined }),
    sites: fc.option(SITES, { nil: undefined }),
    grantSites: fc.option(SITES, { nil: undefined }),
    revokeSites: fc.option(SITES, { nil: undefined }),
  })
  .map(
    ({ name, enabled, roles, sites, grantSites, revokeSites }): PartnerChanges => ({
      ...(name === undefined ? {} : { name }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(roles === undefined ? {} : { roles }),
      ...(sites === undefined ? {} : { sites }),
      ...(grantSites === undefined ? {} : { grantSites }),
      ...(revokeSites === undefined ? {} : { revokeSites }),
    }),
  )

const states = fc
  .record({
    enabled: fc.boolean(),
    roles: ROLES,
    sites: SITES,
    unknownSites: SITES,
    hasOtherOperator: fc.boolean(),
  })
  .map(({ enabled, roles, sites, unknownSites, hasOtherOperator }) => ({
    before: newPartner({ enabled, roles: [...roles], sites: [...sites] }),
    unknownSites: [...unknownSites],
    hasOtherOperator,
  }))

const AT = NOON + 1_500

const isSame = (a: Partner, b: Partner): boolean =>
  a.name === b.name &&
  a.enabled === b.enabled &&
  a.roles.toSorted().join() === b.roles.toSorted().join() &&
  a.sites.toSorted().join() === b.sites.toSorted().join()

test('a change is rejected for unknown sites, or if it would leave no operator, and made only if it changes anything', () => {
  fc.assert(
    fc.property(states, changes, (state, change) => {
      const decision = decidePartnerChange(state, change, entry('partner.changed', AT))
      const { before, unknownSites, hasOtherOperator } = state
      const { sites, grantSites, revokeSites, ...fields } = change
      const expected = ['one', 'two'].filter(
        (site) =>
          !revokeSites?.includes(site) &&
          ((sites ?? before.sites).includes(site) || grantSites?.includes(site)),
      )
      const after = { ...before, ...fields, sites: expected }
      const isOperator = (partner: typeof before): boolean =>
        partner.enabled && partner.roles.includes('Operator')
      assert.equal(removesOperator(before, change), isOperator(before) && !isOperator(after))
      if (unknownSites.length > 0) return assert.equal(decision.outcome, 'unknown-sites')
      if (isOperator(before) && !isOperator(after) && !hasOtherOperator)
        return assert.equal(decision.outcome, 'last-operator')
      if (isSame(before, after)) {
        assert.deepEqual(decision, { outcome: 'unchanged', partner: before })
        return
      }
      assert.ok(decision.outcome === 'changed')
      // Disabling revokes all tokens, including those issued within the same second.
      const isDisabled = before.enabled && !after.enabled
      const tokensNotBefore = isDisabled ? Math.floor(AT / 1_000) + 1 : before.tokensNotBefore
      assert.deepEqual(decision.partner, { ...after, updatedAt: AT, tokensNotBefore })
      assert.deepEqual(decision.grants, (sites ?? grantSites ?? revokeSites) && expected)
      assert.deepEqual(decision.audit, [entry('partner.changed', AT)])
    }),
  )
})

test('the same sites and roles in another order are no change', () => {
  const before = newPartner({ roles: ['Devices.Read', 'Spaces.Read'], sites: ['one', 'two'] })
  const state = { before, unknownSites: [], hasOtherOperator: true }
  const changes: PartnerChanges = { roles: ['Spaces.Read', 'Devices.Read'], sites: ['two', 'one'] }
  assert.deepEqual(decidePartnerChange(state, changes, entry()), { outcome: 'unchanged', partner: before })
  const limited = decidePartnerChange(state, { rateLimits: { perMinute: 5 } }, entry())
  assert.equal(limited.outcome, 'changed')
})

test('a partner that does not exist is not changed', () => {
  const state = { before: undefined, unknownSites: ['one'], hasOtherOperator: true }
  assert.deepEqual(decidePartnerChange(state, {}, entry()), { outcome: 'unknown-partner' })
})

test('a secret is added while fewer than the maximum have not expired', () => {
  const { secret } = createSecret(NOON, 365)
  const added = entry('secret.added')
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: NOON - 2, max: NOON + 2 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 3 }),
      (expiries, maxLive) => {
        const decision = decideSecretAdd({ isKnown: true, expiries }, secret, { maxLive }, added)
        const live = expiries.filter((expiresAt) => expiresAt > NOON).length
        assert.deepEqual(
          decision,
          live < maxLive ? { outcome: 'added', secret, audit: [added] } : { outcome: 'too-many' },
        )
      },
    ),
  )
  assert.deepEqual(decideSecretAdd({ isKnown: false, expiries: [] }, secret, { maxLive: 2 }, added), {
    outcome: 'unknown-partner',
  })
})
