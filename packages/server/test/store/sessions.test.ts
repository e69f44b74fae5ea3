import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConsoleSession } from '../../src/domain/identity/session/session.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { addPartner, entry, NOON } from '../support/seed.ts'

const HOUR = 3_600_000
const LIMIT = { maxLive: 3 }

const newSession = (partnerUuid: string, changes: Partial<ConsoleSession> = {}): ConsoleSession => ({
  sessionId: newUuid(),
  partnerUuid,
  secretId: null,
  createdAt: NOON,
  expiresAt: NOON + 8 * HOUR,
  address: '127.0.0.1',
  agent: 'Mozilla/5.0',
  ...changes,
})

async function addSession(store: Store, session: ConsoleSession): Promise<ConsoleSession> {
  const added = entry('console.signed-in', session.createdAt)
  assert.equal(await store.sessions.add(session, LIMIT, added), 'added')
  return session
}

const listIds = async (store: Store, now = NOON): Promise<string[]> =>
  (await store.sessions.list(now, { before: undefined, limit: 100 })).map(({ sessionId }) => sessionId)

for (const backend of BACKENDS) {
  describe(`console sessions on ${backend.name}`, () => {
    test('a session is found with its partner until it expires', async (t) => {
      const store = await backend.open(t)
      const { partner, secret } = await addPartner(store, { name: 'Example Energy' })
      const session = newSession(partner.partnerUuid, { secretId: secret.secretId })
      await addSession(store, session)
      const listed = { ...session, clientId: partner.clientId, partnerName: 'Example Energy' }
      assert.deepEqual(await store.sessions.find(session.sessionId, NOON), listed)
      assert.deepEqual(await store.sessions.list(NOON, { before: undefined, limit: 9 }), [listed])
      assert.equal(await store.sessions.find(session.sessionId, session.expiresAt), undefined)
      assert.deepEqual(await listIds(store, session.expiresAt), [])
      assert.equal(await store.sessions.find('unknown', NOON), undefined)
    })

    test('a session ends with its secret', async (t) => {
      const store = await backend.open(t)
      const { partner, secret } = await addPartner(store)
      const { partnerUuid } = partner
      const bySecret = await addSession(store, newSession(partnerUuid, { secretId: secret.secretId }))
      const byLink = await addSession(store, newSession(partnerUuid))
      assert.equal((await listIds(store)).length, 2)
      await store.partners.removeSecret(partnerUuid, secret.secretId, entry())
      assert.equal(await store.sessions.find(bySecret.sessionId, NOON), undefined)
      assert.deepEqual(await listIds(store), [byLink.sessionId])
    })

    test('a session ends when its secret expires', async (t) => {
      const store = await backend.open(t)
      const { partner, secret } = await addPartner(store)
      const { partnerUuid } = partner
      const { sessionId } = await addSession(
        store,
        newSession(partnerUuid, { secretId: secret.secretId, expiresAt: secret.expiresAt + HOUR }),
      )
      assert.ok(await store.sessions.find(sessionId, secret.expiresAt - 1))
      assert.equal(await store.sessions.find(sessionId, secret.expiresAt), undefined)
    })

    test('disabling a partner ends its sessions for good', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      const { sessionId } = await addSession(store, newSession(partner.partnerUuid))
      for (const enabled of [false, true]) {
        await store.partners.change(partner.partnerUuid, { enabled }, entry())
        assert.equal(await store.sessions.find(sessionId, NOON), undefined)
        assert.deepEqual(await listIds(store), [])
      }
      const later = await addSession(store, newSession(partner.partnerUuid, { createdAt: NOON + 1_000 }))
      assert.deepEqual(await listIds(store), [later.sessionId])
    })

    test('the oldest session of a partner makes room for a new one', async (t) => {
      const store = await backend.open(t)
      const [{ partner: one }, { partner: other }] = [await addPartner(store), await addPartner(store)]
      const kept = await addSession(store, newSession(other.partnerUuid, { createdAt: NOON - HOUR }))
      const added = []
      for (const second of [0, 1, 2, 3])
        added.push(await addSession(store, newSession(one.partnerUuid, { createdAt: NOON + second * 1_000 })))
      const [, ...newest] = added.map(({ sessionId }) => sessionId)
      assert.deepEqual(await listIds(store), [...newest.toReversed(), kept.sessionId])
    })

    test('concurrent sign-ins do not exceed the limit', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      await Promise.all(Array.from({ length: 6 }, () => addSession(store, newSession(partner.partnerUuid))))
      assert.equal((await listIds(store)).length, LIMIT.maxLive)
    })

    test('lists are paged', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      for (let count = 0; count < 3; count += 1) await addSession(store, newSession(partner.partnerUuid))
      const all = await listIds(store)
      const [first] = await store.sessions.list(NOON, { before: undefined, limit: 1 })
      const rest = await store.sessions.list(NOON, { before: first, limit: 9 })
      assert.deepEqual(
        [first, ...rest].map((session) => session?.sessionId),
        all,
      )
    })

    test('the list of one partner has no sessions of others', async (t) => {
      const store = await backend.open(t)
      const [one, other] = [await addPartner(store), await addPartner(store)]
      const { sessionId } = await addSession(store, newSession(one.partner.partnerUuid))
      await addSession(store, newSession(other.partner.partnerUuid))
      const { partnerUuid } = one.partner
      const listed = await store.sessions.list(NOON, { before: undefined, limit: 9, partnerUuid })
      assert.deepEqual(
        listed.map((session) => session.sessionId),
        [sessionId],
      )
    })

    test('a session ends once, with an entry in the audit log', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      const { sessionId } = await addSession(store, newSession(partner.partnerUuid))
      assert.equal(await store.sessions.end(sessionId, entry('console.signed-out')), 'ended')
      assert.equal(await store.sessions.find(sessionId, NOON), undefined)
      assert.equal(await store.sessions.end(sessionId, entry('console.signed-out')), 'unknown')
      const actions = (await store.audit.list({ before: undefined, limit: 9 })).map(({ action }) => action)
      assert.deepEqual(actions, ['console.signed-out', 'console.signed-in', 'partner.added'])
    })

    test('a code opens one session, however often it is used at the same time', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      const { partnerUuid } = partner
      const code = { codeId: newUuid(), partnerUuid, expiresAt: NOON + HOUR }
      await store.sessions.addCode(code, entry())
      assert.deepEqual(await store.sessions.findCode(code.codeId, NOON), code)
      const use = () =>
        store.sessions.add(newSession(partnerUuid), { ...LIMIT, codeId: code.codeId }, entry())
      assert.deepEqual((await Promise.all([use(), use(), use()])).toSorted(), [
        'added',
        'unknown-code',
        'unknown-code',
      ])
      assert.equal(await store.sessions.findCode(code.codeId, NOON), undefined)
      assert.equal((await listIds(store)).length, 1)
    })

    test('an expired code opens no session', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      const { partnerUuid } = partner
      const code = { codeId: newUuid(), partnerUuid, expiresAt: NOON }
      await store.sessions.addCode(code, entry())
      assert.equal(await store.sessions.findCode(code.codeId, NOON), undefined)
      const options = { ...LIMIT, codeId: code.codeId }
      assert.equal(await store.sessions.add(newSession(partnerUuid), options, entry()), 'unknown-code')
      assert.deepEqual(await listIds(store), [])
    })

    test('expired sessions and codes are deleted', async (t) => {
      const store = await backend.open(t)
      const { partner } = await addPartner(store)
      const { partnerUuid } = partner
      await addSession(store, newSession(partnerUuid, { expiresAt: NOON + 1 }))
      const kept = await addSession(store, newSession(partnerUuid))
      for (const expiresAt of [NOON + 1, NOON + 2])
        await store.sessions.addCode({ codeId: newUuid(), partnerUuid, expiresAt }, entry())
      assert.equal(await store.sessions.removeExpired(NOON + 1), 2)
      assert.equal(await store.sessions.removeExpired(NOON + 1), 0)
      assert.deepEqual(await listIds(store, NOON + 1), [kept.sessionId])
    })
  })
}
