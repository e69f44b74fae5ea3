import assert from 'node:assert/strict'
import type { InventoryDocument } from '../fixtures/small-site.ts'
import type { JsonObject } from '../json.ts'
import { type NewPartner, partnerRoles, readNewPartner } from '../clients/operator.ts'
import { makeOperatorDir } from './operator-dir.ts'
import { type Portico, removeDataDir, type StartOptions, startPortico } from './portico.ts'
import { api, demoToken, operatorToken, tokenFor } from '../clients/requests.ts'
import { type V2Client, v2Client } from '../clients/v2-client.ts'

export interface Installation {
  portico: Portico
  /** A token of an operator. */
  operator: string
  /** Environment of commands next to the server, if it differs from the default. */
  env?: Record<string, string>
  stop(): Promise<void>
}

export interface Demo extends Installation {
  /** The demo partner on the demo site. */
  client: V2Client
}

/** A server without the demo and with an operator only: it starts quickly and holds only the test's own data. */
export async function startInstallation(
  env: Record<string, string> = {},
  more: Pick<StartOptions, 'mqttUrl' | 'publicUrl'> = {},
): Promise<Installation> {
  const { dataDir, clientId, clientSecret } = await makeOperatorDir(env)
  const portico = await startPortico({ demo: false, dataDir, env: { RATE_LIMIT: 'off', ...env }, ...more })
  return {
    portico,
    operator: await tokenFor(portico, clientId, clientSecret),
    stop: async () => {
      await portico.stop()
      await removeDataDir(dataDir)
    },
  }
}

/** A server with the demo site and its history. */
export async function startDemo(): Promise<Demo> {
  return demoAt(await startPortico({ env: { RATE_LIMIT: 'off' } }))
}

/** A server with the demo, and tokens of its two partners. */
export async function demoAt(portico: Portico): Promise<Demo> {
  return {
    portico,
    operator: await operatorToken(portico),
    client: v2Client(portico, await demoToken(portico), portico.demoEnv.SITE_ID),
    stop: async () => {
      await portico.stop()
    },
  }
}

/** Creates a partner with these sites; returns a client of it on the first of them. */
export async function addClient(
  installation: Installation,
  sites: string[],
  roles: string[] = partnerRoles,
): Promise<V2Client & { partner: NewPartner }> {
  const { portico, operator } = installation
  const body = { name: 'Acceptance partner', sites, roles }
  const answer = await api(portico, '/operator/partners', { method: 'POST', token: operator, body })
  assert.equal(answer.status, 201, answer.text)
  const partner = readNewPartner(answer.json)
  const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
  return { ...v2Client(portico, token, sites[0] ?? ''), partner }
}

/** Applies an inventory document; returns the counts in the response. */
export async function applyInventory(installation: Installation, document: unknown): Promise<JsonObject> {
  const { portico, operator } = installation
  const answer = await api(portico, '/operator/inventory', {
    method: 'PUT',
    token: operator,
    body: document,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

/** Exports the inventory document of a site. */
export async function exportInventory(
  { portico, operator }: Installation,
  siteUuid: string,
): Promise<InventoryDocument> {
  const answer = await api(portico, `/operator/inventory/${siteUuid}`, { token: operator })
  assert.equal(answer.status, 200, answer.text)
  return answer.json as unknown as InventoryDocument
}
