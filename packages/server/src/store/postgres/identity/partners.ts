import {
  decidePartnerChange,
  decideSecretAdd,
  type PartnerState,
  removesOperator,
} from '../../../domain/identity/partner/decide.ts'
import {
  isRole,
  mayEndOperator,
  type Partner,
  findGrantedSites,
  type PartnerChanges,
} from '../../../domain/identity/partner/partner.ts'
import type { ExpiringSecret, PartnerStore } from '../../../domain/identity/partner/store.ts'
import { recordAudit } from './audit.ts'
import { type Database, type Sql, canBeStored } from '../pool/connect.ts'
import { insertSecret, removeSecret, secretExpiries, loadSecrets, loadStoredSecrets } from './secrets.ts'
import { unknownSites } from '../inventory/sites.ts'

interface Row {
  partner_uuid: string
  client_id: string
  name: string
  enabled: boolean
  roles: string
  sites: string[]
  tokens_not_before: number
  created_at: number
  updated_at: number
  rate_limits: string
}

const fromRow = (row: Row): Partner => ({
  partnerUuid: row.partner_uuid,
  clientId: row.client_id,
  name: row.name,
  enabled: row.enabled,
  roles: row.roles.split(' ').filter(isRole),
  sites: row.sites,
  tokensNotBefore: row.tokens_not_before,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  rateLimits: JSON.parse(row.rate_limits) as Partner['rateLimits'],
})

const columns = (sql: Sql) => sql`
  partners.*, ARRAY(SELECT site_uuid FROM partner_sites
    WHERE partner_sites.partner_uuid = partners.partner_uuid ORDER BY site_uuid) AS sites`

async function find(sql: Sql, partnerUuid: string): Promise<Partner | undefined> {
  const [row] = await sql<Row[]>`SELECT ${columns(sql)} FROM partners WHERE partner_uuid = ${partnerUuid}`
  return row && fromRow(row)
}

/** Serialises changes of one partner. */
async function lock(sql: Sql, partnerUuid: string): Promise<boolean> {
  const found = await sql`SELECT 1 FROM partners WHERE partner_uuid = ${partnerUuid} FOR NO KEY UPDATE`
  return found.length > 0
}

/**
 * Serialises changes that can remove operator rights: each of two concurrent ones could otherwise count on the other's
 * operator.
 */
async function lockOperators(sql: Sql): Promise<void> {
  await sql`SELECT 1 FROM installation FOR UPDATE`
}

async function hasOtherOperator(sql: Sql, partnerUuid: string): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM partners
    WHERE enabled AND ' ' || roles || ' ' LIKE '% Operator %' AND partner_uuid <> ${partnerUuid} LIMIT 1`
  return found.length > 0
}

async function loadState(sql: Sql, partnerUuid: string, changes: PartnerChanges): Promise<PartnerState> {
  const unknown = await unknownSites(sql, findGrantedSites(changes))
  const before = await find(sql, partnerUuid)
  return {
    before,
    unknownSites: unknown,
    hasOtherOperator:
      before !== undefined && removesOperator(before, changes) && (await hasOtherOperator(sql, partnerUuid)),
  }
}

async function grantSites(sql: Sql, partnerUuid: string, siteUuids: readonly string[]): Promise<void> {
  await sql`DELETE FROM partner_sites WHERE partner_uuid = ${partnerUuid}`
  await sql`
    INSERT INTO partner_sites (partner_uuid, site_uuid)
    VALUES (${partnerUuid}, unnest(${siteUuids}::uuid[]))`
}

async function insertPartner(sql: Sql, partner: Partner): Promise<boolean> {
  const added = await sql`
    INSERT INTO partners (partner_uuid, client_id, name, enabled, roles, tokens_not_before, created_at, updated_at,
      rate_limits)
    VALUES (${partner.partnerUuid}, ${partner.clientId}, ${partner.name}, ${partner.enabled},
      ${partner.roles.join(' ')}, ${partner.tokensNotBefore}, ${partner.createdAt}, ${partner.updatedAt},
      ${JSON.stringify(partner.rateLimits)})
    ON CONFLICT (client_id) DO NOTHING`
  return added.count > 0
}

async function updatePartner(sql: Sql, partner: Partner): Promise<void> {
  await sql`
    UPDATE partners SET name = ${partner.name}, enabled = ${partner.enabled}, roles = ${partner.roles.join(' ')},
      tokens_not_before = ${partner.tokensNotBefore}, updated_at = ${partner.updatedAt},
      rate_limits = ${JSON.stringify(partner.rateLimits)}
    WHERE partner_uuid = ${partner.partnerUuid}`
}

export const postgresPartners = (db: Database): PartnerStore => ({
  list: ({ after, limit }) =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`
        SELECT ${columns(sql)} FROM partners ${after === undefined ? sql`` : sql`WHERE partner_uuid > ${after}`}
        ORDER BY partner_uuid LIMIT ${limit}`
      return rows.map(fromRow)
    }),
  get: (partnerUuid) => db.read((sql) => find(sql, partnerUuid)),
  findClient: async (clientId) => {
    if (!canBeStored(clientId)) return undefined
    return db.read(async (sql) => {
      const [row] = await sql<Row[]>`SELECT ${columns(sql)} FROM partners WHERE client_id = ${clientId}`
      if (!row) return undefined
      return { ...fromRow(row), secrets: await loadStoredSecrets(sql, row.partner_uuid) }
    })
  },
  expiringSecrets: ({ now, until }, limit) =>
    db.read(async (sql) => [
      ...(await sql<ExpiringSecret[]>`
        SELECT partner_uuid AS "partnerUuid", name AS "partnerName", secret_id AS "secretId", hint,
          expires_at AS "expiresAt"
        FROM partner_secrets JOIN partners USING (partner_uuid)
        WHERE enabled AND expires_at > ${now} AND expires_at <= ${until}
        ORDER BY expires_at, secret_id LIMIT ${limit}`),
    ]),
  secrets: (partnerUuid) => db.read((sql) => loadSecrets(sql, partnerUuid)),

  add: (partner, secret, entry) =>
    db.write(async (sql) => {
      const unknown = await unknownSites(sql, partner.sites)
      if (unknown.length > 0) return { outcome: 'unknown-sites', siteUuids: unknown }
      if (!(await insertPartner(sql, partner))) return { outcome: 'client-id-taken' }
      await grantSites(sql, partner.partnerUuid, partner.sites)
      await insertSecret(sql, partner.partnerUuid, secret)
      await recordAudit(sql, entry)
      return { outcome: 'added' }
    }),
  change: (partnerUuid, changes, entry) =>
    db.write(async (sql) => {
      // Locked before the partner's row, so that two such changes cannot deadlock.
      if (mayEndOperator(changes)) await lockOperators(sql)
      await lock(sql, partnerUuid)
      const state = await loadState(sql, partnerUuid, changes)
      const decision = decidePartnerChange(state, changes, entry)
      if (decision.outcome !== 'changed') return decision
      const { partner, grants, audit } = decision
      await updatePartner(sql, partner)
      if (grants) await grantSites(sql, partnerUuid, grants)
      await recordAudit(sql, ...audit)
      return { outcome: 'changed', partner }
    }),
  addSecret: (partnerUuid, secret, limit, entry) =>
    db.write(async (sql) => {
      const state = {
        isKnown: await lock(sql, partnerUuid),
        expiries: await secretExpiries(sql, partnerUuid),
      }
      const decision = decideSecretAdd(state, secret, limit, entry)
      if (decision.outcome !== 'added') return decision.outcome
      await insertSecret(sql, partnerUuid, decision.secret)
      await recordAudit(sql, ...decision.audit)
      return 'added'
    }),
  removeSecret: (partnerUuid, secretId, entry) =>
    db.write(async (sql) => {
      if (!(await removeSecret(sql, partnerUuid, secretId))) return 'unknown'
      await recordAudit(sql, entry)
      return 'removed'
    }),
  recordUse: (uses) =>
    db.write(async (sql) => {
      // In a fixed order, so that concurrent updates cannot deadlock.
      for (const { secretId, at } of uses.toSorted((a, b) => (a.secretId < b.secretId ? -1 : 1))) {
        await sql`
          UPDATE partner_secrets SET last_used_at = greatest(coalesce(last_used_at, 0), ${at}::bigint)
          WHERE secret_id = ${secretId}`
      }
    }),
})
