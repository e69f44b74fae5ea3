import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EVENT_TYPE_NAMES } from '../../src/domain/event/event.ts'
import type { ClaimedDelivery } from '../../src/domain/webhook/delivery.ts'
import type { PositionKey } from '../../src/domain/webhook/store.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { NOON } from '../support/seed.ts'
import { addWebhook, createEvents, createOutcome, createWebhook, newAuditEntry } from '../support/webhooks.ts'

const LEASE_END = NOON + 60_000
const ALL = { types: EVENT_TYPE_NAMES, lastNumber: 1_000, maxWaiting: 1_000, batch: 500 }
const [A, B, C] = [newUuid(), newUuid(), newUuid()].toSorted()

const listNumbers = (deliveries: readonly { number: number }[]): number[] =>
  deliveries.map(({ number }) => number)

/** A webhook on a site with events of these devices, dealt out. */
async function dealtOut(
  store: Store,
  deviceUuids: readonly (string | undefined)[],
): Promise<PositionKey & { site: string }> {
  const site = newUuid()
  const { webhookUuid } = await addWebhook(store, [site])
  await store.events.append(site, createEvents(deviceUuids.map((uuid) => uuid ?? null)))
  const position = { siteUuid: site, webhookUuid }
  await store.webhooks.dealOut(position, ALL, NOON)
  return { ...position, site }
}

for (const backend of BACKENDS) {
  describe(`webhooks on ${backend.name}`, () => {
    test('come back as they were added, and are listed by partner', async (t) => {
      const store = await backend.open(t)
      const { webhooks } = store
      const partnerUuid = newUuid()
      const first = await addWebhook(store, [newUuid()], {
        partnerUuid,
        eventTypes: ['command.updated', 'device.offline'],
        siteUuids: [newUuid()],
      })
      const second = await addWebhook(store, [], { partnerUuid, createdAt: NOON + 1, heartbeat: false })
      const other = await addWebhook(store, [], { createdAt: NOON + 2 })
      assert.deepEqual(await webhooks.list(partnerUuid), [first, second])
      assert.deepEqual(await webhooks.list(), [first, second, other])
      assert.deepEqual(await webhooks.find(first.webhookUuid), first)
      assert.equal(await webhooks.find(newUuid()), undefined)
    })

    test('of a partner are limited, even if they are added at the same time', async (t) => {
      const { webhooks, partners } = await backend.open(t)
      const partnerUuid = newUuid()
      await partners.add(
        {
          partnerUuid,
          clientId: newUuid(),
          name: 'One',
          enabled: true,
          roles: [],
          sites: [],
          tokensNotBefore: 0,
          createdAt: NOON,
          updatedAt: NOON,
          rateLimits: {},
        },
        {
          secretId: newUuid(),
          hint: 'a',
          hash: Uint8Array.of(1),
          createdAt: NOON,
          expiresAt: NOON,
          lastUsedAt: null,
        },
        newAuditEntry('partner.added'),
      )
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () =>
          webhooks.add(createWebhook({ partnerUuid }), [], { max: 3 }, newAuditEntry('webhook.added')),
        ),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'added').length, 3)
      assert.equal((await webhooks.list(partnerUuid)).length, 3)
    })

    test('are changed only if the expected fields have their values', async (t) => {
      const store = await backend.open(t)
      const { webhookUuid, ...rest } = await addWebhook(store, [], { probeAt: 5 })
      const update = (expected: object, changes: object) =>
        store.webhooks.update(webhookUuid, expected, changes)
      assert.equal(await update({ probeAt: 4 }, { probeAt: 9 }), undefined)
      assert.equal(await update({ probeAt: null }, { probeAt: 9 }), undefined)
      assert.equal((await update({ probeAt: 5, failingSince: null }, { probeAt: 9 }))?.probeAt, 9)
      const changes = { siteUuids: [A ?? ''], eventTypes: null, heartbeat: false, state: 'paused' } as const
      assert.deepEqual(await update({}, changes), { webhookUuid, ...rest, probeAt: 9, ...changes })
      const taken = await Promise.all(
        Array.from({ length: 6 }, (_, index) => update({ probeAt: 9 }, { probeAt: 10 + index })),
      )
      assert.equal(taken.filter((webhook) => webhook !== undefined).length, 1)
    })

    test('have a later updatedAt after each change, even if the clock stands still', async (t) => {
      const store = await backend.open(t)
      const { webhookUuid } = await addWebhook(store, [])
      const change = async (updatedAt: number): Promise<number | undefined> =>
        (await store.webhooks.update(webhookUuid, {}, { updatedAt }))?.updatedAt
      assert.equal(await change(NOON), NOON + 1)
      assert.equal(await change(NOON - 5), NOON + 2)
      assert.equal(await change(NOON + 10), NOON + 10)
    })

    test('that are removed leave nothing behind', async (t) => {
      const store = await backend.open(t)
      const position = await dealtOut(store, [A, A])
      const [claimed] = await store.webhooks.claim(position, NOON, LEASE_END, 10)
      await store.webhooks.record(position.site, [createOutcome(claimed ?? assert.fail())])
      const entry = newAuditEntry('webhook.removed')
      assert.equal(await store.webhooks.remove(position.webhookUuid, entry), true)
      assert.equal(await store.webhooks.remove(position.webhookUuid, entry), false)
      assert.equal(await store.webhooks.find(position.webhookUuid), undefined)
      assert.deepEqual(await store.webhooks.progress([position.webhookUuid]), new Map())
      assert.deepEqual(await store.webhooks.deliveries(position.webhookUuid, {}, undefined, 10), [])
    })
  })

  describe(`deliveries on ${backend.name}`, () => {
    test('start at the end of the log, and are dealt out in order by type', async (t) => {
      const store = await backend.open(t)
      const { webhooks, events } = store
      const [site, other] = [newUuid(), newUuid()]
      await events.append(site, createEvents([newUuid()]))
      const { webhookUuid } = await addWebhook(store, [site, other])
      const position = { siteUuid: site, webhookUuid }
      assert.deepEqual(await webhooks.unreached(), [])
      await events.append(site, [
        ...createEvents([newUuid(), newUuid()]),
        ...createEvents([null], { type: 'inventory.changed' }),
      ])
      assert.deepEqual(await webhooks.unreached(), [{ ...position, updatedAt: NOON, lastNumber: 4 }])
      const options = { ...ALL, batch: 2, types: ['device.online'] as const }
      assert.equal(await webhooks.dealOut(position, { ...options, lastNumber: 2 }, NOON), 1)
      assert.equal(await webhooks.dealOut(position, { ...options, lastNumber: 2 }, NOON), 0)
      assert.equal(await webhooks.dealOut(position, options, NOON), 2)
      assert.equal(await webhooks.dealOut(position, options, NOON), 0)
      assert.deepEqual(await webhooks.unreached(), [])
      assert.deepEqual(listNumbers(await webhooks.claim(position, NOON, LEASE_END, 10)), [2, 3])
    })

    test('are not dealt out twice by concurrent instances', async (t) => {
      const open = await backend.locate(t)
      const [one, two] = [await open(), await open()]
      const site = newUuid()
      const { webhookUuid } = await addWebhook(one, [site])
      await one.events.append(site, createEvents(Array.from({ length: 50 }, () => newUuid())))
      const position = { siteUuid: site, webhookUuid }
      const dealt = await Promise.all(
        [one, two, one, two].map(({ webhooks }) => webhooks.dealOut(position, { ...ALL, batch: 20 }, NOON)),
      )
      while ((await one.webhooks.dealOut(position, ALL, NOON)) > 0);
      assert.ok(dealt.reduce((sum, count) => sum + count, 0) <= 50)
      const claimed = await one.webhooks.claim(position, NOON, LEASE_END, 100)
      assert.deepEqual(
        listNumbers(claimed),
        Array.from({ length: 50 }, (_, index) => index + 1),
      )
    })

    test('are not dealt out while many wait, or while the webhook is failing, paused or disabled', async (t) => {
      const store = await backend.open(t)
      const position = await dealtOut(store, [A, B])
      const { webhooks, events } = store
      await events.append(position.site, createEvents([newUuid()]))
      assert.equal(await webhooks.dealOut(position, { ...ALL, maxWaiting: 2 }, NOON), 0)
      for (const changes of [{ failingSince: NOON }, { failingSince: null, state: 'paused' } as const]) {
        await webhooks.update(position.webhookUuid, {}, changes)
        assert.deepEqual(await webhooks.unreached(), [])
        assert.deepEqual(await webhooks.due(NOON), [])
      }
    })

    test('of a lane are claimed one after another, those of other lanes at the same time', async (t) => {
      const store = await backend.open(t)
      const position = await dealtOut(store, [A, B, A, A, C, B])
      const { webhooks } = store
      assert.deepEqual(await webhooks.due(NOON - 1), [])
      assert.deepEqual(await webhooks.due(NOON), [
        { siteUuid: position.site, webhookUuid: position.webhookUuid, updatedAt: NOON },
      ])
      const first = await webhooks.claim(position, NOON, LEASE_END, 10)
      assert.deepEqual(listNumbers(first), [1, 2, 5])
      assert.deepEqual(
        first.map(({ event, tries, givesWay, isLate }) => [event.deviceUuid, tries, givesWay, isLate]),
        [A, B, C].map((device) => [device, 0, false, false]),
      )
      assert.deepEqual(await webhooks.claim(position, NOON, LEASE_END, 10), [])
      const [ofA, ofB] = first
      await webhooks.record(position.site, [
        createOutcome(ofA ?? assert.fail()),
        createOutcome(ofB ?? assert.fail(), { state: 'waiting', dueAt: NOON + 5_000 }),
      ])
      assert.deepEqual(listNumbers(await webhooks.claim(position, NOON, LEASE_END, 10)), [3])
      // B waits for its retry: its later event waits too, without being due later.
      assert.deepEqual(listNumbers(await webhooks.claim(position, NOON + 5_000, LEASE_END, 10)), [2])
      // The leases of 3 and 5 have expired.
      assert.deepEqual(listNumbers(await webhooks.claim(position, LEASE_END, LEASE_END + 1, 10)), [2, 3, 5])
    })

    test('of concurrent claims no two get the same one, and no lane is in two hands', async (t) => {
      const open = await backend.locate(t)
      const stores = [await open(), await open()]
      const devices = Array.from({ length: 20 }, () => newUuid())
      const [store] = stores
      const position = await dealtOut(store ?? assert.fail(), [...devices, ...devices, ...devices])
      const claimed: ClaimedDelivery[] = []
      const running = new Set<string>()
      const work = async ({ webhooks }: Store): Promise<void> => {
        for (;;) {
          const some = await webhooks.claim(position, NOON, LEASE_END, 3)
          if (some.length === 0) return
          for (const { event } of some) {
            assert.ok(!running.has(event.deviceUuid ?? ''), 'the lane is in one hand')
            running.add(event.deviceUuid ?? '')
          }
          claimed.push(...some)
          for (const { event } of some) running.delete(event.deviceUuid ?? '')
          await webhooks.record(
            position.site,
            some.map((one) => createOutcome(one)),
          )
        }
      }
      await Promise.all([...stores, ...stores].map(work))
      for (const one of stores) await work(one)
      assert.deepEqual(
        listNumbers(claimed).toSorted((a, b) => a - b),
        Array.from({ length: 60 }, (_, index) => index + 1),
      )
      for (const device of devices) {
        const own = listNumbers(claimed.filter(({ event }) => event.deviceUuid === device))
        assert.deepEqual(
          own,
          own.toSorted((a, b) => a - b),
        )
      }
    })

    test('that give way do not hold up their lane, and are late after a later one', async (t) => {
      const store = await backend.open(t)
      const position = await dealtOut(store, [A, A, A])
      const { webhooks } = store
      const [poison] = await webhooks.claim(position, NOON, LEASE_END, 10)
      const retry = { state: 'waiting', dueAt: NOON + 100, givesWay: true } as const
      await webhooks.record(position.site, [createOutcome(poison ?? assert.fail(), retry)])
      const [next] = await webhooks.claim(position, NOON, LEASE_END, 10)
      assert.equal(next?.number, 2)
      // The next one is in flight and may have arrived.
      const [again] = await webhooks.claim(position, NOON + 100, LEASE_END, 10)
      assert.deepEqual([again?.number, again?.isLate, again?.tries], [1, true, 1])
      await webhooks.record(position.site, [
        createOutcome(next),
        createOutcome(again ?? assert.fail(), retry),
      ])
      const rest = await webhooks.claim(position, NOON + 100, LEASE_END, 10)
      assert.deepEqual(
        rest.map(({ number, isLate }) => [number, isLate]),
        [
          [1, true],
          [3, false],
        ],
      )
    })

    test('are listed newest first with filters, and read with their attempts', async (t) => {
      const store = await backend.open(t)
      const position = await dealtOut(store, [A, B, C])
      const { webhooks } = store
      const { webhookUuid } = position
      const [one, two] = await webhooks.claim(position, NOON, LEASE_END, 2)
      const failure = {
        at: NOON,
        status: null,
        error: 'timeout',
        durationMs: 15_000,
        response: null,
      } as const
      await webhooks.record(position.site, [
        createOutcome(one ?? assert.fail(), { attempt: failure, state: 'waiting', dueAt: NOON + 5 }),
        createOutcome(two ?? assert.fail()),
      ])
      const [again] = await webhooks.claim(position, NOON + 5, LEASE_END, 1)
      await webhooks.record(position.site, [createOutcome(again ?? assert.fail(), { state: 'failed' })])
      const list = (filter: object) => webhooks.deliveries(webhookUuid, filter, undefined, 10)
      const all = await list({})
      assert.deepEqual(
        all.map(({ number, state, tries }) => [number, state, tries]),
        [
          [3, 'waiting', 0],
          [2, 'delivered', 1],
          [1, 'failed', 2],
        ],
      )
      assert.deepEqual(listNumbers(await list({ state: 'failed' })), [1])
      assert.deepEqual(await list({ type: 'inventory.changed' }), [])
      assert.deepEqual(await list({ from: NOON + 1 }), [])
      assert.deepEqual(listNumbers(await webhooks.deliveries(webhookUuid, {}, all[0], 1)), [2])
      const [found] = await webhooks.findDeliveries(webhookUuid, one?.event.eventUuid ?? '')
      const success = { at: NOON + 10, status: 200, error: null, durationMs: 5, response: 'ok' }
      assert.deepEqual(found?.attempts, [failure, success])
      assert.deepEqual(found.delivery, all[2])
      assert.deepEqual(await webhooks.findDeliveries(newUuid(), one?.event.eventUuid ?? ''), [])
      const progress = (await webhooks.progress([webhookUuid])).get(webhookUuid)
      assert.deepEqual(progress, { waiting: 1, oldestWaitingAt: NOON, lastDeliveredAt: NOON + 15, lost: 0 })
    })

    test('can be probed whether they are due or not, made due, dropped and skipped', async (t) => {
      const store = await backend.open(t)
      const position = await dealtOut(store, [A, A, B])
      const { webhooks, events } = store
      const { webhookUuid } = position
      const [first] = await webhooks.claim(position, NOON, LEASE_END, 1)
      await webhooks.record(position.site, [
        createOutcome(first ?? assert.fail(), { state: 'waiting', dueAt: NOON + 1_000 }),
      ])
      const oldest = await webhooks.oldestWaiting(webhookUuid, 2)
      assert.deepEqual(listNumbers(oldest), [1, 2])
      const [, second] = oldest
      assert.equal((await webhooks.claimOne(second ?? assert.fail(), NOON, LEASE_END))?.number, 2)
      assert.equal(await webhooks.claimOne(second ?? assert.fail(), NOON, LEASE_END), undefined)
      await webhooks.releaseLeases()
      assert.equal((await webhooks.claimOne(second ?? assert.fail(), NOON, LEASE_END))?.number, 2)
      await webhooks.makeDue(webhookUuid, NOON)
      assert.deepEqual(listNumbers(await webhooks.claim(position, NOON, LEASE_END, 10)), [1, 3])
      await webhooks.drop(position.site, oldest.slice(0, 1))
      assert.deepEqual(listNumbers(await webhooks.oldestWaiting(webhookUuid, 9)), [2, 3])
      await events.append(position.site, createEvents([A ?? '']))
      await webhooks.skipToEnd(webhookUuid)
      assert.deepEqual(await webhooks.oldestWaiting(webhookUuid, 9), [])
      assert.deepEqual(await webhooks.unreached(), [])
    })

    test('of events that retention removes are counted as lost', async (t) => {
      const store = await backend.open(t)
      const position = await dealtOut(store, [A, B])
      const { webhooks, events } = store
      const { webhookUuid, site } = position
      const [one] = await webhooks.claim(position, NOON, LEASE_END, 1)
      await webhooks.record(site, [createOutcome(one ?? assert.fail())])
      await events.append(site, createEvents([A ?? '', A ?? '']))
      await events.append(site, createEvents([A ?? ''], { recordedAt: NOON + 10 }))
      await events.removeBefore(NOON + 5)
      await webhooks.removeExpired()
      await webhooks.dealOut(position, ALL, NOON)
      const progress = (await webhooks.progress([webhookUuid])).get(webhookUuid)
      assert.equal(progress?.lost, 3, 'one that waited, and two that were not dealt out')
      assert.deepEqual(listNumbers(await webhooks.deliveries(webhookUuid, {}, undefined, 10)), [5])
      assert.deepEqual(listNumbers(await webhooks.claim(position, NOON, LEASE_END, 10)), [5])
    })

    test('are replayed in a new round, once for each event, and only up to the position', async (t) => {
      const store = await backend.open(t)
      const position = await dealtOut(store, [A, A, B])
      const { webhooks, events } = store
      const [a, b] = await webhooks.claim(position, NOON, LEASE_END, 10)
      await webhooks.record(position.site, [
        createOutcome(a ?? assert.fail()),
        createOutcome(b ?? assert.fail(), { state: 'failed' }),
      ])
      await events.append(position.site, createEvents([A ?? '']))
      const range = { fromNumber: 1, toNumber: 9, types: EVENT_TYPE_NAMES, onlyFailed: false }
      const replay = (changes: object, max = 10) =>
        webhooks.replay(position, { ...range, ...changes }, max, NOON + 1)
      assert.equal(await replay({ types: ['inventory.changed'] }), 0)
      assert.equal(await replay({ onlyFailed: true }), 1)
      assert.equal(await replay({}, 0), 0)
      assert.equal(await replay({}), 1, 'events that wait are not replayed')
      assert.equal(await replay({}), 0)
      const claimed = await webhooks.claim(position, NOON + 1, LEASE_END, 10)
      assert.deepEqual(
        claimed.map(({ number, round }) => [number, round]),
        [
          [1, 1],
          [3, 1],
        ],
      )
    })
  })
}
