import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMMAND_LINE } from '../../../../src/domain/identity/audit.ts'
import { DEPRECATED_SINCE, findEndpoint } from '../../../../src/domain/v1-lifecycle/catalogue.ts'
import {
  createLifecycle,
  getRetirement,
  type EndpointLifecycle,
} from '../../../../src/domain/v1-lifecycle/lifecycle.ts'
import type { LifecycleOverride } from '../../../../src/domain/v1-lifecycle/store.ts'
import { NOON } from '../../../support/seed.ts'

const endpoint = (path: string) => findEndpoint('GET', path) ?? assert.fail(path)
const DETAILS = endpoint('/spaces/details/{spaceId}')

const life = (dates: Partial<EndpointLifecycle>): EndpointLifecycle => ({
  endpoint: DETAILS,
  deprecatedAt: null,
  sunsetAt: null,
  blackouts: [],
  ...dates,
})

/** Another process writes into `rows`. */
function fixture() {
  const rows: LifecycleOverride[] = []
  let now = NOON
  const lifecycle = createLifecycle({
    clock: { now: () => now },
    store: {
      list: async () => [...rows],
      change: async (changes) => {
        for (const { change } of changes) {
          const { method, path, sunsetAt = null } = change
          rows.push({ method, path, deprecatedAt: null, sunsetAt, blackouts: [] })
        }
      },
    },
  })
  return { lifecycle, rows, pass: (ms: number) => (now += ms) }
}

describe('an endpoint is gone', () => {
  test('from the instant of its sunset on', () => {
    assert.equal(getRetirement(life({ sunsetAt: NOON }), NOON - 1), undefined)
    assert.deepEqual(getRetirement(life({ sunsetAt: NOON }), NOON), { reason: 'sunset', since: NOON })
  })

  test('during a blackout, whose end is exclusive', () => {
    const rehearsed = life({ blackouts: [{ from: NOON, to: NOON + 10 }] })
    assert.equal(getRetirement(rehearsed, NOON - 1), undefined)
    assert.deepEqual(getRetirement(rehearsed, NOON), { reason: 'blackout', until: NOON + 10 })
    assert.equal(getRetirement(rehearsed, NOON + 10), undefined)
  })
})

describe('the table', () => {
  test('deprecates replaced and discontinued endpoints, not those that version 2 is to have', async () => {
    const { lifecycle } = fixture()
    for (const { endpoint: one, deprecatedAt, sunsetAt } of await lifecycle.list()) {
      assert.equal(deprecatedAt, one.state === 'awaiting-v2' ? null : DEPRECATED_SINCE, one.path)
      assert.equal(sunsetAt, null)
    }
  })

  test('a change of this process applies immediately, one of another within seconds', async () => {
    const { lifecycle, rows, pass } = fixture()
    await lifecycle.find(DETAILS)
    await lifecycle.change([{ method: 'GET', path: DETAILS.path, sunsetAt: 5 }], COMMAND_LINE)
    assert.equal((await lifecycle.find(DETAILS)).sunsetAt, 5)
    rows.splice(0, 1, { method: 'GET', path: DETAILS.path, deprecatedAt: null, sunsetAt: 6, blackouts: [] })
    pass(5_000)
    assert.equal((await lifecycle.find(DETAILS)).sunsetAt, 6)
  })

  test('a change of another process applies immediately after its notification', async () => {
    const { lifecycle, rows } = fixture()
    await lifecycle.find(DETAILS)
    rows.push({ method: 'GET', path: DETAILS.path, deprecatedAt: null, sunsetAt: 6, blackouts: [] })
    assert.equal((await lifecycle.find(DETAILS)).sunsetAt, null)
    lifecycle.invalidate()
    assert.equal((await lifecycle.find(DETAILS)).sunsetAt, 6)
  })

  test('rejects an unknown endpoint, a duplicate, and a blackout that ends before it begins', async () => {
    const { lifecycle, rows } = fixture()
    const { path } = DETAILS
    const refused = [
      [{ method: 'GET', path: '/spaces/details' }],
      [{ method: 'POST', path }],
      [
        { method: 'GET', path },
        { method: 'GET', path },
      ],
      [{ method: 'GET', path, blackouts: [{ from: 2, to: 1 }] }],
    ]
    for (const changes of refused)
      await assert.rejects(lifecycle.change(changes, COMMAND_LINE), { code: 'validation-error' })
    assert.deepEqual(rows, [])
  })
})
