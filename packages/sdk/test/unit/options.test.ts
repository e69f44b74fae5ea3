import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigurationError, Portico } from '../../src/index.ts'
import { SITE, startStub } from './stub.ts'

const { options } = startStub(() => ({}))

describe('before any request, the SDK rejects', () => {
  const rejects = (name: string, wrong: object, message: RegExp): void => {
    test(name, () => {
      assert.throws(
        () => new Portico({ ...options, ...wrong }),
        (error) => error instanceof ConfigurationError && message.test(error.message),
      )
    })
  }

  rejects('a secret that is a UUID', { clientSecret: SITE }, /the secret’s id, not its value/)
  rejects('a base URL of version 1', { baseUrl: 'https://api.example.com/v1/' }, /ends in \/v1/)
  rejects('a base URL that is none', { baseUrl: 'api.example.com/v2' }, /baseUrl is not an address/)
  rejects('a site id that is no UUID', { siteId: '7' }, /siteId is not a UUID: 7/)
  rejects('a missing client id', { clientId: '' }, /clientId is missing: pass it, or set PORTICO_CLIENT_ID/)

  test('a site that is not given', () => {
    const { siteId: _, ...rest } = options
    assert.throws(() => new Portico(rest).site(), /siteId is missing: pass it, or set PORTICO_SITE_ID/)
    assert.throws(() => new Portico(rest).site('x'), /siteId is not a UUID: x/)
  })
})

test('options come from the environment', async () => {
  const stub = startStub(() => ({}))
  const variables: Record<string, string> = {
    PORTICO_BASE_URL: `${String(stub.options.baseUrl)}/`,
    PORTICO_AUTH_URL: String(stub.options.authUrl),
    PORTICO_CLIENT_ID: String(stub.options.clientId),
    PORTICO_CLIENT_SECRET: 'secret',
    PORTICO_SITE_ID: SITE.toUpperCase(),
  }
  Object.assign(process.env, variables)
  try {
    const portico = new Portico({ fetch: stub.options.fetch, warnBeforeExpiry: false })
    assert.equal(portico.site().siteId, SITE)
    await portico.account()
    assert.equal(stub.seen[0]?.path, '/account')
  } finally {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
  }
})
