import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { AddedPartner } from '@portico/sdk/operator'
import { toEnvironment } from '../../../src/operator/environment.ts'

const ADDED: AddedPartner = {
  partnerUuid: 'partner',
  name: 'App',
  clientId: 'client',
  clientSecret: 'secret',
  secret: { secretId: 'id', hint: 'sec', createdAt: '', expiresAt: '', lastUsedAt: null },
  authUrl: 'https://api.example.com/auth',
  baseUrl: 'https://api.example.com/v2',
  baseUrlV1: 'https://api.example.com/v1',
  scope: 'api://client/.default',
  sites: ['site-1', 'site-2'],
  roles: ['Spaces.Read', 'Operator'],
  enabled: true,
  createdAt: '',
  updatedAt: '',
  rateLimits: {},
}
const write = (changes: Partial<AddedPartner>): string => toEnvironment({ ...ADDED, ...changes })

it('the environment of a partner is what the SDK reads, with its first site', () => {
  assert.equal(
    write({}),
    [
      'PORTICO_BASE_URL=https://api.example.com/v2',
      'PORTICO_AUTH_URL=https://api.example.com/auth',
      'PORTICO_CLIENT_ID=client',
      'PORTICO_CLIENT_SECRET=secret',
      'PORTICO_SITE_ID=site-1',
      '',
    ].join('\n'),
  )
  assert.doesNotMatch(write({ sites: [] }), /SITE_ID/)
})

it('the environment of an operator has the address and the names of the operator API', () => {
  assert.match(
    write({ roles: ['Operator'] }),
    /^PORTICO_OPERATOR_URL=https:\/\/api\.example\.com\/operator$/m,
  )
  assert.match(write({ roles: ['Operator'] }), /^PORTICO_OPERATOR_CLIENT_SECRET=secret$/m)
})
