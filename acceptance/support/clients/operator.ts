import assert from 'node:assert/strict'
import { asArray, asObject, asString, asUuid, type JsonObject } from '../json.ts'
import type { Portico } from '../servers/portico.ts'
import { api } from './requests.ts'

export interface NewPartner {
  partnerUuid: string
  clientId: string
  clientSecret: string
  secretId: string
  roles: string[]
  sites: string[]
  json: JsonObject
}

export interface NewSecret {
  secretId: string
  clientSecret: string
  json: JsonObject
}

export const partnerRoles = [
  'Spaces.Read',
  'Devices.Read',
  'Devices.Control',
  'Events.Read',
  'Webhooks.Manage',
  'V1.Read',
]

/** Reads the response to a new partner; the command line prints the same fields. */
export function readNewPartner(json: JsonObject): NewPartner {
  return {
    partnerUuid: asUuid(json['partnerUuid']),
    clientId: asUuid(json['clientId']),
    clientSecret: asString(json['clientSecret']),
    secretId: asString(asObject(json['secret'])['secretId']),
    roles: asArray(json['roles']).map(asString),
    sites: asArray(json['sites']).map(asString),
    json,
  }
}

export async function addPartner(
  portico: Portico,
  token: string,
  body: JsonObject = {},
): Promise<NewPartner> {
  const sites = body['sites'] ?? [portico.demoEnv.SITE_ID]
  const answer = await api(portico, '/operator/partners', {
    method: 'POST',
    token,
    body: { name: 'Acceptance partner', roles: ['Devices.Read'], ...body, sites },
  })
  assert.equal(answer.status, 201, answer.text)
  return readNewPartner(answer.json)
}

export async function addSecret(
  portico: Portico,
  token: string,
  partnerUuid: string,
  body: JsonObject = {},
): Promise<NewSecret> {
  const path = `/operator/partners/${partnerUuid}/secrets`
  const answer = await api(portico, path, { method: 'POST', token, body })
  assert.equal(answer.status, 201, answer.text)
  return {
    secretId: asString(answer.json['secretId']),
    clientSecret: asString(answer.json['clientSecret']),
    json: answer.json,
  }
}

export async function changePartner(
  portico: Portico,
  token: string,
  partnerUuid: string,
  body: JsonObject,
): Promise<JsonObject> {
  const answer = await api(portico, `/operator/partners/${partnerUuid}`, { method: 'PATCH', token, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}
