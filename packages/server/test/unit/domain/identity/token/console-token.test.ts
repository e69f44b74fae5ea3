import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { decodeJwt } from 'jose'
import { createPartnerDirectory } from '../../../../../src/domain/identity/partner/directory.ts'
import { createConsoleSessions } from '../../../../../src/domain/identity/session/service.ts'
import { SESSION_LIFETIME_MS, toSessionId } from '../../../../../src/domain/identity/session/session.ts'
import { issueToken } from '../../../../../src/domain/identity/token/issue.ts'
import { createKeyRing } from '../../../../../src/domain/identity/token/key-ring.ts'
import { createTokenVerifier } from '../../../../../src/domain/identity/token/verify.ts'
import { BACKENDS } from '../../../../support/backends.ts'
import { createClock } from '../../../../support/clock.ts'
import { addPartner, entry } from '../../../../support/seed.ts'

const ISSUER = 'https://portico.example/auth/v2.0'
const BROWSER = { address: '::1', agent: 'a browser', traceId: 'trace' }
const INVALID = { code: 'token-invalid' }

async function setUp(t: TestContext) {
  const store = await (BACKENDS[0] ?? assert.fail()).open(t)
  const clock = createClock()
  const directory = createPartnerDirectory(store.partners, clock)
  const keys = createKeyRing({ store: store.keys, clock, algorithm: 'ES256' })
  await keys.prepare()
  const sessions = createConsoleSessions({ store: store.sessions, partners: store.partners, clock })
  const verifier = createTokenVerifier({
    builtIn: { issuer: ISSUER, keys },
    external: undefined,
    directory,
    sessions,
    clock,
  })
  const { partner, secret } = await addPartner(store)
  const sessionId = toSessionId(await sessions.signIn(partner, secret.secretId, BROWSER))
  const issue = async (forConsole = { sessionId, lifetimeSeconds: 601 }): Promise<string> => {
    const client = (await directory.find(partner.clientId)) ?? assert.fail()
    const key = await keys.current()
    return issueToken({ key, issuer: ISSUER, tenant: 'auth', client, now: clock.now(), forConsole })
  }
  return { store, clock, sessions, verifier, partner, secret, sessionId, issue }
}

test('a console token names its use and its session, and is short-lived', async (t) => {
  const { verifier, issue, clock, sessionId, partner } = await setUp(t)
  const token = await issue()
  const { use, sid, iat = 0, exp } = decodeJwt(token)
  assert.deepEqual([use, sid, exp], ['console', sessionId, iat + 601])
  const caller = await verifier.verify(token)
  assert.deepEqual([caller.clientId, caller.sessionId], [partner.clientId, sessionId])
  clock.at += 601_000
  await assert.rejects(async () => verifier.verify(token), { code: 'token-expired' })
})

test('a console token is invalid within two seconds of the end of its secret', async (t) => {
  const { store, verifier, issue, clock, partner, secret } = await setUp(t)
  const token = await issue()
  await verifier.verify(token)
  await store.partners.removeSecret(partner.partnerUuid, secret.secretId, entry())
  clock.at += 2_000
  await assert.rejects(async () => verifier.verify(token), INVALID)
})

test('a console token is invalid as soon as its session is ended here', async (t) => {
  const { sessions, verifier, issue, sessionId } = await setUp(t)
  const token = await issue()
  await verifier.verify(token)
  await sessions.end(sessionId, entry().actor)
  await assert.rejects(async () => verifier.verify(token), INVALID)
})

test('a console token of another partner’s session, or of none, is invalid', async (t) => {
  const { store, sessions, verifier, issue } = await setUp(t)
  const other = await addPartner(store)
  const value = await sessions.signIn(other.partner, other.secret.secretId, BROWSER)
  for (const sessionId of [toSessionId(value), 'unknown'])
    await assert.rejects(
      async () => verifier.verify(await issue({ sessionId, lifetimeSeconds: 601 })),
      INVALID,
    )
})

test('a session ends after eight hours, however much it is used', async (t) => {
  const { clock, sessions, sessionId } = await setUp(t)
  const start = clock.now()
  for (let hour = 1; hour < 8; hour += 1) {
    clock.at = start + hour * 3_600_000
    assert.ok(await sessions.find(sessionId))
  }
  clock.at = start + SESSION_LIFETIME_MS
  assert.equal(await sessions.find(sessionId), undefined)
})

test('a partner that was disabled and enabled again within a second can sign in', async (t) => {
  const { store, clock, sessions, partner, secret, sessionId } = await setUp(t)
  for (const enabled of [false, true])
    await store.partners.change(partner.partnerUuid, { enabled }, entry('x', clock.now()))
  sessions.invalidate()
  assert.equal(await sessions.find(sessionId), undefined)
  const enabled = (await store.partners.get(partner.partnerUuid)) ?? assert.fail()
  const value = await sessions.signIn(enabled, secret.secretId, BROWSER)
  assert.ok(await sessions.find(toSessionId(value)))
})
