import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, jwtVerify, SignJWT } from 'jose'
import { SERVER } from '../../../../../src/domain/identity/audit.ts'
import { AppError, type ErrorCode } from '../../../../../src/kernel/errors.ts'
import { createPartnerDirectory } from '../../../../../src/domain/identity/partner/directory.ts'
import { issueToken } from '../../../../../src/domain/identity/token/issue.ts'
import { createKeyRing, OVERLAP_MS } from '../../../../../src/domain/identity/token/key-ring.ts'
import type { TokenAlgorithm } from '../../../../../src/domain/identity/token/token.ts'
import { loadPrivateKey } from '../../../../../src/domain/identity/token/keys.ts'
import { createConsoleSessions } from '../../../../../src/domain/identity/session/service.ts'
import { createTokenVerifier } from '../../../../../src/domain/identity/token/verify.ts'
import { BACKENDS } from '../../../../support/backends.ts'
import { createClock } from '../../../../support/clock.ts'
import { addPartner, entry } from '../../../../support/seed.ts'
import { override } from '../../../../support/override.ts'

const ISSUER = 'https://portico.example/auth/v2.0'
const TENANT = 'auth'

async function setUp(t: TestContext, algorithm: TokenAlgorithm = 'ES256') {
  const store = await (BACKENDS[0] ?? assert.fail()).open(t)
  const clock = createClock()
  const directory = createPartnerDirectory(store.partners, clock)
  const keys = createKeyRing({ store: store.keys, clock, algorithm })
  await keys.prepare()
  const sessions = createConsoleSessions({ store: store.sessions, partners: store.partners, clock })
  const verifier = createTokenVerifier({
    builtIn: { issuer: ISSUER, keys },
    external: undefined,
    directory,
    sessions,
    clock,
  })
  const { partner } = await addPartner(store, { roles: ['Spaces.Read', 'V1.Read'] })
  const issue = async (): Promise<string> => {
    const client = (await directory.find(partner.clientId)) ?? assert.fail()
    return issueToken({ key: await keys.current(), issuer: ISSUER, tenant: TENANT, client, now: clock.now() })
  }
  const change = async (enabled: boolean): Promise<void> => {
    await store.partners.change(partner.partnerUuid, { enabled }, entry('x', clock.now()))
    directory.invalidate()
  }
  return { store, clock, keys, sessions, verifier, partner, issue, change }
}

const refusedAs = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code

for (const algorithm of ['ES256', 'RS256'] as const) {
  test(`jose accepts a token signed with ${algorithm} by the published keys, and so do we`, async (t) => {
    const { keys, issue, partner, clock, verifier } = await setUp(t, algorithm)
    const token = await issue()
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(await keys.published()), {
      issuer: ISSUER,
      audience: `api://${partner.clientId}`,
      typ: 'at+jwt',
      algorithms: [algorithm],
      currentDate: new Date(clock.now()),
    })
    assert.equal(protectedHeader.alg, algorithm)
    assert.deepEqual(payload['roles'], ['Spaces.Read', 'V1.Read'])
    assert.equal(payload['azp'], partner.clientId)
    assert.equal(payload['tid'], TENANT)
    assert.equal((await verifier.verify(token)).clientId, partner.clientId)
  })
}

test('a token names its issuer, also if one client gets tokens of two issuers', async (t) => {
  const { keys, clock, partner } = await setUp(t)
  const key = await keys.current()
  for (const [issuer, tenant] of [
    [ISSUER, TENANT],
    ['https://other.example/auth/v2.0', TENANT],
    ['https://other.example/auth/v2.0', 'other'],
  ] as const) {
    const claims = decodeJwt(issueToken({ key, issuer, tenant, client: partner, now: clock.now() }))
    assert.deepEqual([claims.iss, claims['tid'], claims['azp']], [issuer, tenant, partner.clientId])
  }
})

test('a token is valid for the promised 3599 seconds and at most one second longer', async (t) => {
  const { clock, verifier, issue } = await setUp(t)
  clock.at += 999
  const token = await issue()
  await verifier.verify(token)
  clock.at += 3_599_000
  await verifier.verify(token)
  clock.at += 1_000
  await assert.rejects(async () => verifier.verify(token), refusedAs('token-expired'))
})

test('an expired token that is not cached is expired, not invalid', async (t) => {
  const { clock, verifier, issue } = await setUp(t)
  const token = await issue()
  clock.at += 3_601_000
  await assert.rejects(async () => verifier.verify(token), refusedAs('token-expired'))
})

test('a cached token is rejected when its client is disabled, and enabling does not restore it', async (t) => {
  const { verifier, issue, change, clock } = await setUp(t)
  const token = await issue()
  await verifier.verify(token)
  await change(false)
  await assert.rejects(async () => verifier.verify(token), refusedAs('token-invalid'))
  await change(true)
  await assert.rejects(async () => verifier.verify(token), refusedAs('token-invalid'))
  clock.at += 500
  await verifier.verify(await issue())
})

test('after a rotation old tokens remain valid, new ones carry the new key, and finally the old key is removed', async (t) => {
  const { verifier, issue, keys, clock } = await setUp(t)
  const old = await issue()
  const { kid } = await keys.rotate({ revokePrevious: false }, SERVER)
  assert.equal((await keys.current()).kid, kid)
  await verifier.verify(old)
  assert.equal((await keys.published()).keys.length, 2)
  clock.at += OVERLAP_MS
  assert.deepEqual(
    (await keys.published()).keys.map((key) => key.kid),
    [kid],
  )
})

test('a revoked key verifies nothing, including cached tokens', async (t) => {
  const { verifier, issue, keys } = await setUp(t)
  const token = await issue()
  await verifier.verify(token)
  await keys.rotate({ revokePrevious: true }, SERVER)
  await assert.rejects(async () => verifier.verify(token), refusedAs('token-invalid'))
})

test('a key created by another process is found by its id', async (t) => {
  const { store, clock, verifier, issue, partner } = await setUp(t)
  await verifier.verify(await issue())
  const other = createKeyRing({ store: store.keys, clock, algorithm: 'ES256' })
  await other.rotate({ revokePrevious: false }, SERVER)
  const client = (await store.partners.findClient(partner.clientId)) ?? assert.fail()
  const key = await other.current()
  const token = issueToken({ key, issuer: ISSUER, tenant: TENANT, client, now: clock.now() })
  await verifier.verify(token)
})

test('many unknown key ids cause one query of the store', async (t) => {
  const { store, clock } = await setUp(t)
  let looks = 0
  const list = (): ReturnType<typeof store.keys.list> => {
    looks += 1
    return store.keys.list()
  }
  const keys = createKeyRing({ store: override(store.keys, { list }), clock, algorithm: 'ES256' })
  await keys.current()
  const found = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => keys.find(`unknown ${index}`)),
  )
  assert.ok(found.every((key) => key === undefined))
  assert.equal(looks, 2)
})

test('a process notified of a rotation uses the new key immediately', async (t) => {
  const { store, clock, keys, verifier, issue } = await setUp(t)
  const old = await issue()
  await verifier.verify(old)
  const other = createKeyRing({
    store: store.keys,
    clock,
    algorithm: 'ES256',
    onChange: async () => keys.invalidate(),
  })
  const { kid } = await other.rotate({ revokePrevious: true }, SERVER)
  assert.ok(await keys.find(kid))
  assert.equal((await keys.current()).kid, kid)
  await assert.rejects(async () => verifier.verify(old), refusedAs('token-invalid'))
})

test('keys loaded while they change are not cached', async (t) => {
  const { store, clock } = await setUp(t)
  const reading = Promise.withResolvers<void>()
  const keys = createKeyRing({
    // Returns the state at the time of the call, with a delay.
    store: override(store.keys, {
      async list() {
        const before = await store.keys.list()
        await reading.promise
        return before
      },
    }),
    clock,
    algorithm: 'ES256',
  })
  const slow = keys.current()
  const other = createKeyRing({ store: store.keys, clock, algorithm: 'ES256' })
  const { kid } = await other.rotate({ revokePrevious: false }, SERVER)
  keys.invalidate()
  reading.resolve()
  await slow
  assert.equal((await keys.current()).kid, kid)
})

test('an invalid claim makes a correctly signed token invalid', async (t) => {
  const { store, verifier, partner, clock } = await setUp(t)
  const [key] = await store.keys.list()
  assert.ok(key)
  const now = Math.floor(clock.now() / 1000)
  const { clientId } = partner
  const good = {
    azp: clientId,
    aud: `api://${clientId}`,
    iss: ISSUER,
    jti: 'x',
    iat: now,
    nbf: now,
    exp: now + 60,
  }
  const sign = (changes: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> =>
    new SignJWT({ ...good, ...changes })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
      .sign(loadPrivateKey(key))
  await verifier.verify(await sign({}))
  const bad: Record<string, unknown>[] = [
    { aud: 'api://other' },
    { aud: [`api://${clientId}`, 'api://other'] },
    { iss: 'https://portico.example/auth' },
    { azp: '00000000-0000-4000-8000-000000000000', aud: 'api://00000000-0000-4000-8000-000000000000' },
    { scp: 'user_impersonation' },
    { idtyp: 'user' },
    { nbf: now + 600 },
    { exp: undefined },
    { iat: undefined },
    { jti: undefined },
    { azp: 7 },
  ]
  for (const changes of bad) {
    await assert.rejects(
      async () => verifier.verify(await sign(changes)),
      refusedAs('token-invalid'),
      JSON.stringify(changes),
    )
  }
  await assert.rejects(
    async () => verifier.verify(await sign({}, { typ: 'JWT' })),
    refusedAs('token-invalid'),
  )
  await assert.rejects(
    async () => verifier.verify(await sign({}, { kid: undefined })),
    refusedAs('token-invalid'),
  )
})

test('a repeated forged token is rejected without another signature check for a minute', async (t) => {
  const { store, clock, keys, sessions, issue, partner } = await setUp(t)
  let lookups = 0
  const verifier = createTokenVerifier({
    builtIn: {
      issuer: ISSUER,
      keys: {
        ...keys,
        find(kid) {
          lookups += 1
          return keys.find(kid)
        },
      },
    },
    external: undefined,
    directory: createPartnerDirectory(store.partners, clock),
    sessions,
    clock,
  })
  const token = await issue()
  const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`
  for (let time = 0; time < 5; time += 1)
    await assert.rejects(async () => verifier.verify(forged), refusedAs('token-invalid'))
  assert.equal(lookups, 1)
  clock.at += 60_000
  await assert.rejects(async () => verifier.verify(forged), refusedAs('token-invalid'))
  assert.equal(lookups, 2)
  assert.equal((await verifier.verify(token)).clientId, partner.clientId)
})

test('a token with an unknown key id is not cached as rejected: the key may appear a moment later', async (t) => {
  const { verifier, keys, issue } = await setUp(t)
  const unknown = (await issue()).replace(/^[^.]+/, () =>
    Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'unknown' })).toString('base64url'),
  )
  let lookups = 0
  const find = keys.find.bind(keys)
  keys.find = (kid) => {
    lookups += 1
    return find(kid)
  }
  await assert.rejects(async () => verifier.verify(unknown), refusedAs('token-invalid'))
  await assert.rejects(async () => verifier.verify(unknown), refusedAs('token-invalid'))
  assert.equal(lookups, 2)
})
